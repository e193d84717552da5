package io.capoa.controlplane.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.ControlPlaneHealth.Loss;
import io.capoa.lab.controller.Delays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of a simulated cluster. */
class HealthReadingTest {

    private ThreeNodes cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ThreeNodes(Delays.none());
    }

    @AfterEach
    void stop() {
        cluster.close();
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
        cluster.powerOff("n-1");
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
        cluster.powerOff("n-0");
        cluster.powerOff("n-1");
        assertThat(health().loss()).isEqualTo(Loss.ETCD_MAJORITY);
        cluster.powerOff("n-2");
        assertThat(health().api()).isEqualTo(new ControlPlaneHealth.Api("it answered 503", false));
        cluster.close();
        assertThat(health().api().failure()).isEqualTo("no connection");
    }

    private ControlPlaneHealth health() {
        return InstalledCluster.health(cluster.kubeconfig(), new HealthRounds(false), Map.of());
    }
}
