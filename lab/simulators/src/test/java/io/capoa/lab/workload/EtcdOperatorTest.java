package io.capoa.lab.workload;

import static io.capoa.lab.workload.UpgradeScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.controller.Delays;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What ClusterOperator etcd reports of the members. */
@Tag("full")
class EtcdOperatorTest {

    private static final Duration INERTIA = Duration.ofSeconds(8);

    @Test
    void aDeadMember_isNamedAtOnce_andDegradesTheOperatorAfterItsInertia() throws Exception {
        try (UpgradeScene scene = new UpgradeScene(UpgradeScene.quick().set(Delays.Of.INERTIA, INERTIA))) {
            within(() -> etcd(scene, "Available", "message")
                    .equals("StaticPodsAvailable: 3 nodes are active; 3 nodes are at revision 4\n"
                            + "EtcdMembersAvailable: 3 members are available"));
            assertThat(etcd(scene, "Degraded", "message")).isEqualTo("EtcdMembersDegraded: No unhealthy members found");

            scene.cluster.machineOff("m-1");
            within(() -> etcd(scene, "Available", "message")
                    .endsWith("\nEtcdMembersAvailable: 2 of 3 members are available, m-1 is unhealthy"));
            assertThat(etcd(scene, "Available", "status")).isEqualTo("True");
            assertThat(etcd(scene, "Degraded", "status")).isEqualTo("False");
            assertThat(etcd(scene, "Degraded", "reason")).isEqualTo("AsExpected");
            within(() -> etcd(scene, "Degraded", "status").equals("True"));
            assertThat(etcd(scene, "Degraded", "reason")).isEqualTo("EtcdMembers_UnhealthyMembers");
            assertThat(etcd(scene, "Degraded", "message"))
                    .isEqualTo("EtcdMembersDegraded: 2 of 3 members are available, m-1 is unhealthy");

            scene.powerOn("m-1", "master");
            within(() -> etcd(scene, "Degraded", "status").equals("False"));
            assertThat(etcd(scene, "Available", "message")).endsWith(": 3 members are available");
        }
    }

    @Test
    void aRemovedMember_isNoLongerCounted() throws Exception {
        try (UpgradeScene scene = new UpgradeScene(UpgradeScene.quick())) {
            scene.cluster.machineOff("m-2");
            scene.client.nodes().withName("m-2").delete();
            scene.cluster.etcdctl().run(List.of("etcdctl", "member", "remove", QuorumGuardTest.id(scene, "m-2")));
            within(() -> etcd(scene, "Available", "message")
                    .equals("StaticPodsAvailable: 2 nodes are active; 2 nodes are at revision 5\n"
                            + "EtcdMembersAvailable: 2 members are available"));
        }
    }

    @Test
    void theUnion_isDueWhenTheInertiaEnds() {
        Instant since = Instant.parse("2026-11-24T10:00:00Z");
        Map<String, Object> operator = Map.of(
                "status",
                Map.of(
                        "conditions",
                        List.of(Map.of(
                                "type", "EtcdMembersDegraded",
                                "status", "True",
                                "reason", "UnhealthyMembers",
                                "message", "m-1 is unhealthy",
                                "lastTransitionTime", since.toString()))));
        OperatorReport before = OperatorReport.of(operator, INERTIA, since.plusSeconds(2));
        assertThat(before.degraded().isFalse()).isTrue();
        assertThat(before.due()).contains(since.plus(INERTIA));
        OperatorReport after = OperatorReport.of(operator, INERTIA, since.plus(INERTIA));
        assertThat(after.degraded().isTrue()).isTrue();
        assertThat(after.due()).isEmpty();
    }

    private static String etcd(UpgradeScene scene, String type, String field) {
        GenericKubernetesResource operator = scene.operator("etcd").require();
        return UpgradeScene.condition(operator, type, field);
    }
}
