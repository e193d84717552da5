package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.manager.ManagerChild;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The real kube-state-metrics with the configuration and the rights that the alerts are shipped with. */
@Tag("e2e")
@NeedsGo
@ExtendWith(SharedCluster.class)
class KubeStateMetricsTest {

    private static final Path SHIPPED = ProjectRoot.find().resolve("config/prometheus");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NAMESPACE = "kube-state-metrics";

    /** Series about our objects; those of the managers' own have other names. */
    private static final Pattern SERIES = Pattern.compile("capoa_(?:controlplane|config)_[a-z_]+");

    private final TestCluster cluster;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path log;
    private final Process process;
    private final int port = ManagerChild.freePort();
    private final ClusterRole role =
            Serialization.unmarshal(read(SHIPPED.resolve("kube_state_metrics_role.yaml")), ClusterRole.class);

    KubeStateMetricsTest(TestCluster cluster, @TempDir Path folder) throws IOException {
        this.cluster = cluster;
        this.log = folder.resolve("log");
        this.process = new ProcessBuilder(
                        Binaries.ofThisProcess()
                                .require(Tool.KUBE_STATE_METRICS)
                                .toString(),
                        "--kubeconfig=" + cluster.kubeconfigOf(KnownUsers.LIMITED),
                        "--custom-resource-state-only",
                        "--custom-resource-state-config-file=" + SHIPPED.resolve("kube-state-metrics.yaml"),
                        "--host=127.0.0.1",
                        "--port=" + port,
                        "--telemetry-host=127.0.0.1",
                        "--telemetry-port=" + ManagerChild.freePort())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    @BeforeEach
    void grant() {
        var unused = cluster.admin().resource(role).create();
        var bound = cluster.admin().resource(binding()).create();
        var namespace = cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
        cluster.admin().resource(binding()).delete();
        cluster.admin().resource(role).delete();
        cluster.admin().namespaces().withName(NAMESPACE).delete();
    }

    @Test
    void theSeriesOfTheAlerts_areThere_withTheLabelsThatTheyAskFor() {
        createWithStatus(OpenshiftAssistedControlPlane.class, """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlane
                metadata: {name: failed, labels: {cluster.x-k8s.io/cluster-name: demo}}
                spec:
                  replicas: 1
                  distributionVersion: 4.20.3
                  config: {baseDomain: example.com, pullSecretRef: {name: pull-secret}, sshAuthorizedKey: ""}
                  machineTemplate:
                    spec:
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: t}
                status:
                  conditions:
                    - {type: InstallSucceeding, status: "False", reason: InstallFailed, message: m,
                       lastTransitionTime: "2026-01-01T00:00:00Z"}
                """);
        createWithStatus(OpenshiftAssistedConfig.class, """
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata: {name: lost, labels: {cluster.x-k8s.io/cluster-name: demo}}
                spec: {}
                status:
                  conditions:
                    - {type: AgentRegistered, status: "False", reason: WaitingForAgent, message: m,
                       lastTransitionTime: "2026-01-01T00:00:00Z"}
                """);

        await().atMost(PATIENCE).untilAsserted(() -> {
            String page = page();
            assertThat(line(page, "capoa_controlplane_status_condition{", "status=\"False\""))
                    .contains("cluster=\"demo\"", "name=\"failed\"", "namespace=\"" + NAMESPACE + "\"")
                    .contains("type=\"InstallSucceeding\"", "reason=\"InstallFailed\"")
                    .endsWith(" 1");
            assertThat(line(page, "capoa_controlplane_status_condition{", "status=\"True\""))
                    .endsWith(" 0");
            assertThat(line(page, "capoa_config_status_condition{", "status=\"False\""))
                    .contains("cluster=\"demo\"", "name=\"lost\"", "reason=\"WaitingForAgent\"")
                    .endsWith(" 1");
            assertThat(Double.parseDouble(
                            line(page, "capoa_config_status_condition_last_transition_time{", "AgentRegistered")
                                    .replaceFirst(".* ", "")))
                    .isEqualTo(1_767_225_600);
            assertThat(seriesIn(page)).containsAll(seriesIn(read(SHIPPED.resolve("alerts.yaml"))));
        });
    }

    private <R extends HasMetadata> void createWithStatus(Class<R> kind, String yaml) {
        R object = Serialization.unmarshal(yaml, kind);
        object.getMetadata().setNamespace(NAMESPACE);
        R created = cluster.admin().resource(object).create();
        object.getMetadata().setResourceVersion(created.getMetadata().getResourceVersion());
        R unused = cluster.admin().resource(object).updateStatus();
    }

    private ClusterRoleBinding binding() {
        return new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(NAMESPACE)
                .endMetadata()
                .withNewRoleRef(
                        "rbac.authorization.k8s.io",
                        "ClusterRole",
                        role.getMetadata().getName())
                .withSubjects(cluster.subject(KnownUsers.LIMITED))
                .build();
    }

    /** The page; empty while it is not served. */
    private String page() throws InterruptedException {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        }
    }

    private String line(String page, String begin, String label) {
        return page.lines()
                .filter(line -> line.startsWith(begin) && line.contains(label))
                .findFirst()
                .orElseGet(() -> "no " + begin + label + "}; kube-state-metrics says: " + read(log));
    }

    private static Set<String> seriesIn(String text) {
        return SERIES.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
