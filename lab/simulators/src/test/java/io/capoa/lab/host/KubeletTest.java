package io.capoa.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Fields;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Node that a kubelet registers. */
class KubeletTest {

    private static final String UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

    @TempDir
    Path folder;

    private WorkloadClusters clusters;
    private Workload cluster;

    @BeforeEach
    void start() throws Exception {
        clusters = new WorkloadClusters(0).start();
        cluster = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        InstalledSystem.writeCommands(folder.resolve("bin"));
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @ParameterizedTest
    @CsvSource({"--cloud-provider=external --v=2, true", "--cloud-provider external, true", "--v=2, false"})
    void withAnExternalCloudProvider_theNodeIsTainted(String flags, boolean tainted) throws Exception {
        kubelet(flags).join(List.of("192.0.2.1"));

        assertThat(taints()).containsExactlyElementsOf(tainted ? List.of("master", UNINITIALIZED) : List.of("master"));
    }

    @Test
    void afterAReboot_theTaintsOfTheNodeStay() throws Exception {
        kubelet("--cloud-provider=external").join(List.of("192.0.2.1"));
        api().send("PATCH", "/api/v1/nodes/h-0", Map.of("spec", Map.of("taints", List.of())));

        kubelet("--cloud-provider=external").join(List.of("192.0.2.1"));

        assertThat(taints()).isEmpty();
    }

    private Kubelet kubelet(String flags) throws Exception {
        InstalledSystem system = new InstalledSystem(folder.resolve("root"), folder.resolve("bin"));
        String unit =
                "[Service]\nExecStart=/usr/bin/kubelet --node-labels=node-role.kubernetes.io/master " + flags + "\n";
        IgnitionConfig config = IgnitionConfig.of(Map.of(
                "ignition", Map.of("version", "3.1.0"),
                "storage", Map.of("files", List.of(kubeconfig())),
                "systemd",
                        Map.of(
                                "units",
                                List.of(Map.of("name", UnitOrder.KUBELET, "enabled", true, "contents", unit)))));
        system.install(config, "h-0", "{}".getBytes(StandardCharsets.UTF_8));
        return new Kubelet(system);
    }

    private Map<String, Object> kubeconfig() {
        String encoded =
                Base64.getEncoder().encodeToString(cluster.kubeletKubeconfig().getBytes(StandardCharsets.UTF_8));
        return Map.of(
                "path",
                "/etc/kubernetes/kubeconfig",
                "mode",
                0600,
                "contents",
                Map.of("source", "data:text/plain;base64," + encoded));
    }

    private WorkloadApi api() throws Exception {
        return cluster.api();
    }

    /** Keys of the Node's taints; the control plane's without its prefix. */
    private List<String> taints() throws Exception {
        Object taints =
                Fields.any(api().send("GET", "/api/v1/nodes/h-0", Map.of()).body(), "spec", "taints");
        return taints instanceof List<?> list
                ? list.stream()
                        .map(taint -> String.valueOf(Fields.any(taint, "key")).replace("node-role.kubernetes.io/", ""))
                        .toList()
                : List.of();
    }
}
