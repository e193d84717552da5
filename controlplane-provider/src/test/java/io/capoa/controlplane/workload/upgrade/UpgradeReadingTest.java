package io.capoa.controlplane.workload.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.controlplane.upgrade.PoolState;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.health.ThreeNodes;
import io.capoa.lab.controller.Delays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pools of a simulated cluster. */
class UpgradeReadingTest {

    private static final String POOL = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools/master";

    @Test
    void aPoolIsSettled_whenItsNodesHaveTheConfiguration_alsoWithADeadNode() throws Exception {
        try (ThreeNodes cluster = new ThreeNodes(Delays.none())) {
            cluster.powerOff("n-1");
            await("one of the nodes is not ready")
                    .until(() -> cluster.workload
                            .api()
                            .send("GET", POOL, Map.of())
                            .toString()
                            .contains("readyMachineCount=2"));
            assertThat(master(cluster))
                    .satisfies(pool -> assertThat(pool.settled()).isTrue());

            cluster.workload
                    .api()
                    .send(
                            "PATCH",
                            POOL,
                            Map.of(
                                    "metadata",
                                    Map.of(
                                            "annotations",
                                            Map.of("lab.capoa.io/hold", "", "lab.capoa.io/machine-config", "one"))));
            assertThat(master(cluster))
                    .satisfies(pool -> assertThat(pool.settled()).isFalse());
        }
    }

    private static PoolState master(ThreeNodes cluster) {
        return InstalledCluster.upgrade(cluster.kubeconfig(), "4.20.3").pools().stream()
                .filter(pool -> pool.name().equals("master"))
                .findFirst()
                .orElseThrow();
    }
}
