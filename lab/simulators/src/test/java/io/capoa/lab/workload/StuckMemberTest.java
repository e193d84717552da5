package io.capoa.lab.workload;

import static io.capoa.lab.workload.UpgradeScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Node whose etcd member is added, but does not start. */
@Tag("full")
class StuckMemberTest {

    @Test
    void itsMemberIsALearnerWithoutName_andTheOperatorIsProgressingBecauseOfIt() throws Exception {
        try (UpgradeScene scene = new UpgradeScene(UpgradeScene.quick())) {
            scene.powerOn("m-3", "master");
            scene.cluster
                    .api()
                    .send(
                            "POST",
                            "/api/v1/nodes",
                            Map.of(
                                    "metadata",
                                    Map.of(
                                            "name",
                                            "m-3",
                                            "labels",
                                            Map.of("node-role.kubernetes.io/master", ""),
                                            "annotations",
                                            Map.of(Etcd.STUCK, "")),
                                    "status",
                                    Map.of(
                                            "addresses",
                                            List.of(Map.of("type", "InternalIP", "address", "192.0.2.103")))));

            assertThat(members(scene)).contains("\"isLearner\":true").contains("\"name\":\"\"");
            within(() -> progressing(scene, "status").equals("True"));
            assertThat(progressing(scene, "message"))
                    .isEqualTo("EtcdMembersProgressing: 3 of 4 members are available, m-3 has not started");
            assertThat(scene.cluster.isUp()).isTrue();

            scene.client.nodes().withName("m-3").delete();
            String learner = members(scene)
                    .replaceAll(".*\"ID\":([0-9]+),\"name\":\"\".*", "$1")
                    .strip();
            assertThat(scene.cluster
                            .etcdctl()
                            .run(List.of(
                                    "etcdctl", "member", "remove", Long.toHexString(Long.parseUnsignedLong(learner))))
                            .exitCode())
                    .isZero();
            within(() -> progressing(scene, "status").equals("False"));
        }
    }

    private static String members(UpgradeScene scene) {
        return scene.cluster
                .etcdctl()
                .run(List.of("etcdctl", "member", "list", "-w", "json"))
                .out();
    }

    private static String progressing(UpgradeScene scene, String field) {
        return UpgradeScene.condition(scene.operator("etcd").require(), "Progressing", field);
    }
}
