package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The etcd operator lets no member join while two are left. */
@Tag("full")
class QuorumGuardTest {

    @Test
    void twoMembers_takeAThird_onlyWhileTheGuardIsOverridden() throws Exception {
        try (UpgradeScene scene = new UpgradeScene(UpgradeScene.quick())) {
            scene.cluster.machineOff("m-2");
            scene.client.nodes().withName("m-2").delete();
            scene.cluster.etcdctl().run(List.of("etcdctl", "member", "remove", id(scene, "m-2")));
            scene.powerOn("m-3", "master");
            scene.join("m-3", "master");

            // Answered after the operator has looked at the Nodes.
            scene.powerOn("m-3", "master");
            assertThat(members(scene)).hasSize(2);
            UpgradeScene.patch(
                    scene.client
                            .genericKubernetesResources("operator.openshift.io/v1", "Etcd")
                            .withName("cluster"),
                    "{\"spec\":{\"unsupportedConfigOverrides\":{\"useUnsupportedUnsafeNonHANonProductionUnstableEtcd\":true}}}");
            await().untilAsserted(() -> assertThat(members(scene))
                    .extracting(member -> Fields.any(member, "name"))
                    .contains("m-3"));
        }
    }

    @Test
    void twoDeadMembersOfThree_areALostMajority() throws Exception {
        try (UpgradeScene scene = new UpgradeScene(UpgradeScene.quick())) {
            scene.cluster.machineOff("m-2");
            assertThat(scene.cluster.lostMajorities()).isEmpty();

            scene.cluster.machineOff("m-1");
            assertThat(scene.cluster.lostMajorities()).contains("1/3").doesNotContain("2/3");
            assertThat(scene.cluster.etcdHistory())
                    .extracting(change -> change.healthy() + "/" + change.members())
                    .endsWith("3/3", "2/3", "1/3");
        }
    }

    /** ID of a member, as {@code etcdctl member remove} takes it. */
    static String id(UpgradeScene scene, String name) throws JsonProcessingException {
        return members(scene).stream()
                .filter(member -> name.equals(Fields.any(member, "name")))
                .map(member -> Long.toHexString(((Number) Fields.any(member, "ID")).longValue()))
                .findFirst()
                .orElseThrow();
    }

    private static List<?> members(UpgradeScene scene) throws JsonProcessingException {
        String json = scene.cluster
                .etcdctl()
                .run(List.of("etcdctl", "member", "list", "-w", "json"))
                .out();
        return (List<?>) new ObjectMapper().readValue(json, Map.class).get("members");
    }
}
