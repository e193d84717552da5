package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.failure.Evidence;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The page as the pod of {@code page.yaml} runs it: with the token of its ServiceAccount, and without a kubeconfig. */
final class PagePod implements AutoCloseable {

    static final String NAMESPACE = "capoa-page-system";
    static final String USER = "system:serviceaccount:" + NAMESPACE + ":capoa-page";
    static final Duration SOON = Duration.ofSeconds(60);

    private static final Pattern ADDRESS = Pattern.compile("Page: (http://127\\.0\\.0\\.1:\\d+/)");

    private final Process process;
    private final Path log;

    private PagePod(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** The objects of a release's manifest. */
    static List<GenericKubernetesResource> manifest() {
        return DistRelease.objects(
                Objects.requireNonNull(DistRelease.built().files().get("page.yaml")));
    }

    /** Applies the manifest. */
    static void install(TestCluster cluster) {
        manifest()
                .forEach(object -> cluster.admin()
                        .resource(object)
                        .fieldManager("test")
                        .forceConflicts()
                        .serverSideApply());
    }

    /** A token of its ServiceAccount, as the kubelet asks for it. */
    static String token(TestCluster cluster) {
        return cluster.admin()
                .serviceAccounts()
                .inNamespace(NAMESPACE)
                .withName("capoa-page")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /**
     * Starts it.
     *
     * @param command the entry point of its image; the arguments of the manifest's container are added
     */
    static PagePod start(TestCluster cluster, Path folder, List<String> command) throws IOException {
        Config admin = cluster.admin().getConfiguration();
        URI server = URI.create(admin.getMasterUrl());
        Path token = Files.writeString(folder.resolve("token"), token(cluster));
        Path authority = admin.getCaCertFile() != null
                ? Path.of(admin.getCaCertFile())
                : Files.write(folder.resolve("ca.crt"), Base64.getDecoder().decode(admin.getCaCertData()));
        List<String> arguments = container(manifest()).<List<String>>get("args");
        assertThat(arguments).containsExactly("--port=8080");
        Path log = folder.resolve("page.log");
        Evidence.log(log);
        // Another port, because the one of the pod may be taken here.
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(command.stream(), Stream.of("--port=0")).toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "KUBERNETES_SERVICE_HOST", server.getHost(),
                        "KUBERNETES_SERVICE_PORT", "" + server.getPort(),
                        "KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN", token.toString(),
                        "KUBERNETES_CERTS_CA_FILE", authority.toString(),
                        "JAVA_TOOL_OPTIONS", "-Duser.home=" + folder,
                        "HOME", folder.toString()));
        builder.environment().remove("KUBECONFIG");
        return new PagePod(builder.start(), log);
    }

    /** The container of the Deployment. */
    static GenericKubernetesResource container(List<GenericKubernetesResource> objects) {
        GenericKubernetesResource container = new GenericKubernetesResource();
        container.setAdditionalProperties(objects.stream()
                .filter(object -> object.getKind().equals("Deployment"))
                .findFirst()
                .orElseThrow()
                .get("spec", "template", "spec", "containers", 0));
        return container;
    }

    /** Address of the page, once it serves. */
    String address() {
        await().atMost(SOON)
                .until(() -> !process.isAlive() || ADDRESS.matcher(log()).find());
        Matcher address = ADDRESS.matcher(log());
        assertThat(address.find()).as(log()).isTrue();
        return address.group(1);
    }

    /** What is served below the address. */
    String get(String path) throws IOException {
        var connection =
                (HttpURLConnection) URI.create(address() + path).toURL().openConnection();
        connection.setReadTimeout((int) SOON.toMillis());
        try (var body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** What it printed. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ends on TERM").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
