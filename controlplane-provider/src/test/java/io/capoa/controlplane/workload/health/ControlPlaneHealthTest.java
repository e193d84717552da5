package io.capoa.controlplane.workload.health;

import static io.capoa.controlplane.workload.health.ControlPlaneHealths.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.health.ControlPlaneHealth.Loss;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a snapshot says is lost. */
class ControlPlaneHealthTest {

    @Test
    void aMinorityOfBrokenMembers_isNoLoss_aMajorityIs() {
        assertThat(healthy().loss()).isEqualTo(Loss.NONE);
        assertThat(with(members(true, true, false)).loss()).isEqualTo(Loss.NONE);
        assertThat(with(members(true, false, false)).loss()).isEqualTo(Loss.ETCD_MAJORITY);
        assertThat(with(members(true, false)).loss()).isEqualTo(Loss.ETCD_MAJORITY);
    }

    @Test
    void learnersDoNotVote() {
        assertThat(with(members(member("n-0", false, true), member("n-1", true, false)))
                        .loss())
                .isEqualTo(Loss.NONE);
    }

    @Test
    void membersThatCannotBeListed_areNoLoss_unlessTheOperatorReportsOne() {
        assertThat(with(unlisted("exec failed", true)).loss()).isEqualTo(Loss.NONE);
        assertThat(with(unlisted("exec failed", false)).loss()).isEqualTo(Loss.ETCD_MAJORITY);
    }

    @Test
    void anApiServerThatTakesNoRequests_isLost_andSaysWhetherEtcdIs() {
        assertThat(noConnection().loss()).isEqualTo(Loss.API_SERVER);
        assertThat(etcdFailed().loss()).isEqualTo(Loss.ETCD_MAJORITY);
    }

    @Test
    void aNodeIsReadyByItsCondition() {
        assertThat(NodeHealth.of(node("True", "all is well"))).isEqualTo(new NodeHealth("n-0", true, ""));
        assertThat(NodeHealth.of(node("Unknown", "Kubelet stopped\nposting")))
                .isEqualTo(new NodeHealth("n-0", false, "Kubelet stopped posting"));
        assertThat(NodeHealth.of(Generic.of(new NodeBuilder()
                        .withNewMetadata()
                        .withName("n-0")
                        .endMetadata()
                        .build())))
                .isEqualTo(new NodeHealth("n-0", false, ""));
    }

    @Test
    void anOperatorIsHealthy_ifItIsAvailableAndNotDegraded() {
        assertThat(operator("True", "False")).isEqualTo(new OperatorHealth("etcd", true, false, ""));
        assertThat(operator("True", "True")).isEqualTo(new OperatorHealth("etcd", true, true, "Degraded is True"));
        assertThat(operator("False", "True")).isEqualTo(new OperatorHealth("etcd", false, true, "Available is False"));
        assertThat(OperatorHealth.of("etcd", null).healthy()).isFalse();
    }

    private static OperatorHealth operator(String available, String degraded) {
        GenericKubernetesResource operator = new GenericKubernetesResource();
        operator.setAdditionalProperty(
                "status",
                Map.of("conditions", List.of(condition("Available", available), condition("Degraded", degraded))));
        return OperatorHealth.of("etcd", operator);
    }

    private static Map<String, String> condition(String type, String status) {
        return Map.of("type", type, "status", status, "message", type + " is " + status);
    }

    private static GenericKubernetesResource node(String ready, String message) {
        return Generic.of(new NodeBuilder()
                .withNewMetadata()
                .withName("n-0")
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build());
    }
}
