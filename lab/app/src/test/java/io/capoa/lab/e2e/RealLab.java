package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.lab.LabStack;
import io.capoa.lab.Notices;
import io.capoa.lab.Peers;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Clusterctl;
import io.capoa.lab.clusterctl.ClusterctlInstallation;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.pods.LocalNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A management cluster like a user's, shared by all suites of a run: real core, real clusterctl, our providers from a
 * release. Metal3, assisted-service, hosts and registry are simulated.
 */
final class RealLab implements AutoCloseable {

    /** Core connects to a workload cluster every 30 s, and the machine may be busy. */
    static final Duration SOON = Duration.ofMinutes(5);

    static final String VERSION = "v0.2.0";

    /** Lock of the installed managers: read by suites that need them, written by the one that replaces them. */
    static final String MANAGERS = "managers of the real lab";

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final Path folder;
    private final LocalCluster cluster;
    private final LabStack stack;

    private RealLab() {
        try {
            folder = Files.createTempDirectory("capoa-e2e-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Path root = ProjectRoot.find();
        Binaries binaries = Binaries.ofThisProcess();
        LocalRepository repository = ClusterctlInstallation.repository(root, binaries, folder, VERSION);
        cluster = LocalCluster.builder().state(folder).start();
        stack = LabStack.byClusterctl(
                ManagementCluster.on(cluster),
                binaries,
                repository,
                Delays.none(),
                folder,
                Notices.of(System.err::println),
                Set.of(),
                provider -> provider.program(root));
    }

    LocalCluster cluster() {
        return cluster;
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    Peers peers() {
        return stack.peers();
    }

    LocalNode node() {
        return stack.node();
    }

    Clusterctl clusterctl() {
        return stack.clusterctl().orElseThrow();
    }

    Path folder() {
        return folder;
    }

    /** Output of {@code clusterctl init}. */
    Output init() {
        return stack.init().orElseThrow();
    }

    /** A new namespace with this number of available hosts. */
    String namespace(int hosts) {
        String name = "e2e-" + NAMESPACES.incrementAndGet();
        admin().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        stack.peers().rack(name, hosts);
        return name;
    }

    /** Applies the multi-node sample, changed as the test wants. */
    void applySample(String namespace, UnaryOperator<String> change) {
        try {
            apply(
                    namespace,
                    change.apply(Files.readString(ProjectRoot.find().resolve("config/samples/multinode.yaml"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kubectl apply --server-side}. */
    void apply(String namespace, String manifests) {
        List<HasMetadata> objects = admin().load(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)))
                .items();
        for (HasMetadata object : objects) {
            admin().resource(object)
                    .inNamespace(namespace)
                    .fieldManager("kubectl")
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    /** Returns when the Cluster and all its Machines are Available, and the wanted number of Machines has Nodes. */
    void awaitAvailable(String namespace, String name, int machines) {
        awaitUntil(namespace, name, () -> {
            Cluster found = admin().resources(Cluster.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .require();
            assertThat(ConditionView.isTrue(found, "Available")).isTrue();
            assertThat(machines(namespace))
                    .hasSize(machines)
                    .allMatch(machine -> ConditionView.isTrue(machine, "Ready"));
        });
    }

    /** Returns when the assertion holds; fails with what clusterctl says of the Cluster, which is too slow for each poll. */
    void awaitUntil(String namespace, String name, ThrowingRunnable assertion) {
        try {
            await().atMost(SOON).untilAsserted(assertion);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(describe(namespace, name, "--show-conditions=all"), e);
        }
    }

    /** Output of {@code clusterctl describe}. */
    String describe(String namespace, String name, String... more) {
        String[] command = Stream.concat(
                        Stream.of("describe", "cluster", name, "--namespace=" + namespace), Stream.of(more))
                .toArray(String[]::new);
        return clusterctl().run(command).all();
    }

    /**
     * Output of {@code clusterctl describe} for which the assertions hold. They are tried seldom, because each time
     * clusterctl discovers the API and reads a dozen CRDs.
     */
    String awaitDescribed(String namespace, String name, Consumer<String> assertions, String... more) {
        AtomicReference<String> text = new AtomicReference<>("");
        await().atMost(SOON).pollInterval(Duration.ofSeconds(2)).untilAsserted(() -> {
            text.set(describe(namespace, name, more));
            assertions.accept(text.get());
        });
        return text.get();
    }

    List<Machine> machines(String namespace) {
        return admin().resources(Machine.class).inNamespace(namespace).list().getItems();
    }

    AuditLog audit() {
        return cluster.auditLog().orElseThrow();
    }

    @Override
    public void close() {
        stack.close();
        cluster.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("Some files stay in " + folder + ": " + e);
        }
    }

    /** Injects the shared lab into tests. */
    static final class Shared implements ParameterResolver {

        private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(RealLab.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RealLab.class;
        }

        @Override
        public RealLab resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(STORE)
                    .computeIfAbsent(RealLab.class, key -> new RealLab(), RealLab.class);
        }
    }
}
