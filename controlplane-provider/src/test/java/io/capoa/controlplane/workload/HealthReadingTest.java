package io.capoa.controlplane.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.ControlPlaneHealth.Loss;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of a simulated cluster. */
class HealthReadingTest {

    private WorkloadClusters clusters;
    private Workload workload;

    @BeforeEach
    void start() throws Exception {
        clusters = new WorkloadClusters(0).start();
        workload = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
        for (String node : List.of("n-0", "n-1", "n-2")) {
            power("PUT", node);
            kubelet()
                    .send(
                            "POST",
                            "/api/v1/nodes",
                            Map.of(
                                    "metadata",
                                    Map.of("name", node, "labels", Map.of("node-role.kubernetes.io/master", "")),
                                    "status",
                                    Map.of(
                                            "addresses",
                                            List.of(Map.of(
                                                    "type", "InternalIP", "address", "192.0.2.1" + node.charAt(2))),
                                            "conditions",
                                            List.of(Map.of("type", "Ready", "status", "True")))));
        }
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void aHealthyCluster_hasMembersNodesAndOperators_theSameEachTime() {
        ControlPlaneHealth health = health();
        assertThat(health.loss()).isEqualTo(Loss.NONE);
        assertThat(health.etcd().unknown()).isEmpty();
        assertThat(health.etcd().members()).extracting(EtcdMember::name).containsExactly("n-0", "n-1", "n-2");
        assertThat(health.etcd().members()).allMatch(EtcdMember::healthy);
        assertThat(health.nodes()).hasSize(3).allMatch(NodeHealth::ready);
        assertThat(health.operators()).hasSize(4).allMatch(OperatorHealth::healthy);
        assertThat(health()).isEqualTo(health);
    }

    @Test
    void aNodeWithoutPower_isNotReady_andItsMemberDoesNotAnswer() throws Exception {
        power("DELETE", "n-1");
        ControlPlaneHealth health = health();
        assertThat(health.loss()).isEqualTo(Loss.NONE);
        assertThat(health.etcd().members().stream().filter(member -> !member.healthy()))
                .extracting(EtcdMember::name)
                .containsExactly("n-1");
        assertThat(health.nodes().stream().filter(node -> !node.ready()))
                .extracting(NodeHealth::name)
                .containsExactly("n-1");
    }

    @Test
    void whatIsLost_isSaidByTheApiServer() throws Exception {
        power("DELETE", "n-0");
        power("DELETE", "n-1");
        assertThat(health().loss()).isEqualTo(Loss.ETCD_MAJORITY);
        power("DELETE", "n-2");
        assertThat(health().api()).isEqualTo(new ControlPlaneHealth.Api("it answered 503", false));
        String kubeconfig = kubeconfig();
        clusters.close();
        assertThat(InstalledCluster.health(kubeconfig).api().failure()).isEqualTo("no connection");
    }

    private ControlPlaneHealth health() {
        return InstalledCluster.health(kubeconfig());
    }

    private String kubeconfig() {
        return Base64.getEncoder().encodeToString(workload.kubeconfig().getBytes(UTF_8));
    }

    private void power(String method, String node) throws IOException, InterruptedException {
        kubelet().send(method, "/machines/" + node + "?role=master", Map.of());
    }

    private WorkloadApi kubelet() throws IOException {
        return WorkloadApi.of(workload.kubeletKubeconfig());
    }
}
