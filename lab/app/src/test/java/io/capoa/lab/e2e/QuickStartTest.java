package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.Peer;
import io.capoa.lab.Peers;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.ClusterctlInstallation;
import io.capoa.lab.clusterctl.LocalRepository;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.registry.ReleaseRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs every command of {@code docs/quick-start.md} in order, on an API server with nothing on it. What comes from the
 * internet is replaced as {@link #replacements} says; all other commands run as they stand.
 */
@Tag("e2e")
@NeedsGo
@Execution(ExecutionMode.CONCURRENT)
class QuickStartTest {

    private static final Path ROOT = ProjectRoot.find();

    private final Binaries binaries = Binaries.ofThisProcess();
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Path state;
    private final LocalRepository repository;
    private final LocalCluster cluster;
    private final UserShell shell;
    private @Nullable ClusterctlInstallation installation;

    /** What stands in for a command here. */
    private interface Replacement {

        /** Returns the command to run; empty if nothing is left to run. */
        String prepare() throws IOException;
    }

    /** A user with an empty management cluster. */
    QuickStartTest(@TempDir Path folder) throws IOException {
        Path home = Files.createDirectories(folder.resolve("user"));
        state = Files.createDirectories(folder.resolve("state"));
        Files.writeString(
                home.resolve("pull-secret.json"), "{\"auths\":{\"quay.io\":{\"auth\":\"c2FtcGxlOnNhbXBsZQ==\"}}}");
        repository = ClusterctlInstallation.repository(ROOT, binaries, state.resolve("clusterctl"), RealLab.VERSION);
        cluster = keep(LocalCluster.builder().state(state).start());
        shell = new UserShell(home, binaries, cluster);
    }

    @AfterEach
    void stop() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    @Test
    void everyCommand_inOrder_leadsToTheFirstNode() throws IOException {
        List<String> commands = DocumentCommands.of(Files.readString(ROOT.resolve("docs/quick-start.md")));
        Map<String, Replacement> replacements = replacements();
        Map<String, Output> outputs = new LinkedHashMap<>();

        for (String command : commands) {
            Replacement replacement = replacements.remove(firstLine(command));
            assertThat(replacement != null || !command.contains("https://"))
                    .as("the test has no local source for: %s", command)
                    .isTrue();
            outputs.put(command, shell.run(replacement == null ? command : replacement.prepare()));
        }

        assertThat(replacements.keySet())
                .as("replaced commands that the document no longer has")
                .isEmpty();
        assertThat(required(outputs, "clusterctl describe cluster prod -n prod"))
                .contains("OpenshiftAssistedControlPlane");
        // The simulated API server prints no columns of its own.
        assertThat(required(outputs, "kubectl --kubeconfig prod.kubeconfig get nodes"))
                .hasLineCount(2)
                .contains("host-0");
    }

    private static String required(Map<String, Output> outputs, String command) {
        return Objects.requireNonNull(outputs.get(command), command).all();
    }

    /** Commands that need the internet, or a registry, and what is run instead; by their first lines. */
    private Map<String, Replacement> replacements() {
        String assisted = "https://raw.githubusercontent.com/openshift/assisted-service/v2.55.0/hack/crds/";
        Map<String, Replacement> all = new LinkedHashMap<>();
        // Core from the pinned Go module.
        all.put("clusterctl init --bootstrap - --control-plane - --wait-providers", () -> {
            prepare();
            return "clusterctl init --core cluster-api --bootstrap - --control-plane - --wait-providers --config "
                    + repository.configuration();
        });
        // Simulated.
        for (String ofMetal3 : List.of(
                "kubectl apply -f https://github.com/metal3-io/ironic-standalone-operator/releases/latest/download/install.yaml",
                "kubectl wait -n ironic-standalone-operator-system deployment --all --for=condition=Available --timeout=5m",
                "kubectl apply -n baremetal-operator-system -f ironic.yaml",
                "kubectl apply -k https://github.com/metal3-io/baremetal-operator/config/use-irso?ref=v0.13.2")) {
            all.put(ofMetal3, () -> "");
        }
        // With the CRDs of all peers, which are the publishers'; the controllers are simulated below.
        all.put(
                "clusterctl init --infrastructure metal3 --wait-providers",
                () -> "kubectl get crd baremetalhosts.metal3.io metal3machines.infrastructure.cluster.x-k8s.io");
        all.put(
                "kubectl apply -f " + assisted + "hive/hive.openshift.io_clusterdeployments.yaml",
                () -> "kubectl get crd clusterdeployments.hive.openshift.io");
        all.put(
                "kubectl apply -f " + assisted + "hive/hive.openshift.io_clusterimagesets.yaml",
                () -> "kubectl get crd clusterimagesets.hive.openshift.io");
        all.put(
                "kubectl apply -f " + assisted + "mce/managedclusters.cluster.open-cluster-management.io.yaml",
                () -> "");
        all.put("kubectl apply -k https://github.com/openshift/assisted-service/config/default?ref=v2.55.0", () -> {
            simulatePeers();
            return "kubectl get crd agentclusterinstalls.extensions.hive.openshift.io";
        });
        // Only the infrastructure operator reads it.
        all.put("kubectl apply -f agent-service-config.yaml", () -> "test -s agent-service-config.yaml");
        // Without another build by Maven below the one that runs this test.
        all.put(
                "CAPOA_REGISTRY=registry.example.com/capoa config/release --version v0.2.0",
                () -> "CAPOA_REGISTRY=registry.example.com/capoa " + ROOT.resolve("config/release")
                        + " --version v0.2.0 --manifests-only --out dist");
        // BuiltImageTest builds and runs the images; here their programs run.
        all.put("config/image/oci --version v0.2.0", () -> "");
        for (String provider : List.of("bootstrap", "controlplane")) {
            all.put(
                    "skopeo copy --all oci-archive:dist/images/%1$s-provider-v0.2.0.oci.tar docker://registry.example.com/capoa/%1$s-provider:v0.2.0"
                            .formatted(provider),
                    () -> "");
        }
        // clusterctl reads the contract of the installed core from its repository.
        all.put(
                "clusterctl init --bootstrap openshift-assisted --control-plane openshift-assisted --wait-providers",
                () -> {
                    shell.addCore(repository, ".config/cluster-api/clusterctl.yaml");
                    // In it clusterctl tries whether cert-manager works. While the first command's is being deleted, it
                    // finds that it does not, and would download it.
                    return "kubectl wait --for=delete namespace/cert-manager-test --timeout=2m\n"
                            + "clusterctl init --bootstrap openshift-assisted --control-plane openshift-assisted"
                            + " --wait-providers";
                });
        return all;
    }

    private void prepare() {
        installation = keep(ClusterctlInstallation.prepare(
                ManagementCluster.on(cluster),
                binaries,
                repository,
                state,
                System.err::println,
                provider -> provider.program(ROOT)));
    }

    private void simulatePeers() {
        ReleaseRegistry registry = keep(ReleaseRegistry.start(Delays.none()));
        Objects.requireNonNull(installation).mirrors(registry.registriesConf());
        var unused = keep(Peers.start(cluster, Optional.of(registry), Delays.none(), state, Set.of(Peer.CLUSTER_API)));
    }

    private static String firstLine(String command) {
        return command.lines().findFirst().orElse("");
    }

    private <C extends AutoCloseable> C keep(C part) {
        started.push(part);
        return part;
    }
}
