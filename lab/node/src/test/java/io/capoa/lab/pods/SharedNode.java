package io.capoa.lab.pods;

import io.capoa.lab.certmanager.SharedCertManager;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.failure.Evidence;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A node on the API server of the other suites, once for all suites of a run; each test has a namespace. */
final class SharedNode implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(60);
    static final Duration FIRST_PAUSE = Duration.ofMillis(500);

    private static final int SERVANT_PORT = 8081;
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestCluster cluster;
    private final LocalNode node;
    private final Path folder;

    private SharedNode(TestCluster cluster) {
        this.cluster = cluster;
        try {
            folder = Files.createTempDirectory("capoa-node-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Program shell = Program.of("test/shell", List.of("sh", "-c"));
        Program servant = Program.of(
                "test/servant",
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Servant.class.getName()),
                "--webhook-port=9443");
        node = LocalNode.of(cluster)
                .programs(new Programs(List.of(shell, servant)))
                .folder(folder)
                .backoff(FIRST_PAUSE)
                .start();
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    LocalNode node() {
        return node;
    }

    String namespace() {
        String name = "pods-" + NAMESPACES.incrementAndGet();
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        Evidence.namespace(cluster, name);
        Evidence.log(folder.resolve("logs"));
        return name;
    }

    /** As {@code kubectl apply}. */
    void apply(String namespace, String manifests) {
        for (HasMetadata object : admin().load(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                .items()) {
            var unused = (object.getMetadata().getNamespace() == null
                            ? admin().resource(object).inNamespace(namespace)
                            : admin().resource(object))
                    .fieldManager("kubectl")
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    List<Pod> pods(String namespace) {
        return admin().pods().inNamespace(namespace).list().getItems();
    }

    /** The only pod of a namespace. */
    Pod pod(String namespace) {
        List<Pod> pods = pods(namespace);
        if (pods.size() != 1) {
            throw new AssertionError("Pods of " + namespace + ": "
                    + pods.stream().map(pod -> pod.getMetadata().getName()).toList());
        }
        return pods.getFirst();
    }

    List<LocalNode.RunningContainer> running(String namespace) {
        return node.running().stream()
                .filter(container -> container.namespace().equals(namespace))
                .toList();
    }

    /** Output of the processes of a namespace. */
    String log(String namespace) {
        try (Stream<Path> logs = Files.list(folder.resolve("logs"))) {
            StringBuilder text = new StringBuilder();
            for (Path log : logs.filter(file -> file.getFileName().toString().startsWith(namespace + "."))
                    .sorted()
                    .toList()) {
                text.append(Files.readString(log));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls the servants of a namespace one after the other; empty if none responds. */
    List<String> ask(String namespace, String path) {
        List<String> answers = new ArrayList<>();
        for (LocalNode.RunningContainer container : running(namespace)) {
            try {
                answers.add(http.send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                                + container.ports().get(SERVANT_PORT) + path))
                                        .timeout(Duration.ofSeconds(10))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body());
            } catch (IOException e) {
                // It is starting or terminating.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return answers;
    }

    @Override
    public void close() {
        node.close();
        try {
            AtomicFolder.remove(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Injects the shared node into tests. */
    static final class Resolver extends LocalClusterOnly implements ParameterResolver {

        private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(SharedNode.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == SharedNode.class;
        }

        @Override
        public SharedNode resolveParameter(ParameterContext parameter, ExtensionContext context) {
            SharedCertManager.startOnce(context);
            return context.getRoot()
                    .getStore(STORE)
                    .computeIfAbsent(
                            SharedNode.class, key -> new SharedNode(SharedCluster.of(context)), SharedNode.class);
        }
    }
}
