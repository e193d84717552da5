package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pods of kube-apiserver in a simulated cluster. */
@Tag("full")
class KubeApiServersTest {

    @Test
    void everyControlPlaneNodeHasOne_thatStopsWithItsHostOrByAnAnnotation() throws Exception {
        try (UpgradeScene scene = new UpgradeScene(UpgradeScene.quick())) {
            assertThat(ready(scene))
                    .containsOnly(Map.entry("m-0", true), Map.entry("m-1", true), Map.entry("m-2", true));
            scene.cluster.machineOff("m-1");
            scene.cluster
                    .api()
                    .send(
                            "PATCH",
                            "/api/v1/nodes/m-2",
                            Map.of(
                                    "metadata",
                                    Map.of("annotations", Map.of(KubeApiServers.FAILS, "CrashLoopBackOff"))));
            assertThat(ready(scene))
                    .containsOnly(Map.entry("m-0", true), Map.entry("m-1", false), Map.entry("m-2", false));
            scene.client.nodes().withName("m-2").delete();
            assertThat(ready(scene)).containsOnlyKeys("m-0", "m-1");
            scene.powerOn("m-1", "master");
            assertThat(ready(scene)).containsEntry("m-1", true);
        }
    }

    private static Map<String, Boolean> ready(UpgradeScene scene) {
        return scene
                .client
                .pods()
                .inNamespace(KubeApiServers.NAMESPACE)
                .withLabel("apiserver", "true")
                .list()
                .getItems()
                .stream()
                .collect(Collectors.toMap(
                        pod -> pod.getSpec().getNodeName(),
                        pod -> pod.getStatus().getConditions().stream()
                                .anyMatch(condition -> condition.getType().equals("Ready")
                                        && condition.getStatus().equals("True"))));
    }
}
