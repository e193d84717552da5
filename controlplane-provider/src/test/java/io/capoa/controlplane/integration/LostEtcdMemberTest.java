package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.controlplane.testing.OffsetClock;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A member of etcd that is lost while its Node is Ready and the etcd operator available and not degraded yet. */
@ExtendWith(SharedCluster.class)
class LostEtcdMemberTest {

    private static final String ETCD = "EtcdClusterHealthy";
    /** The period is a second, and all is read with the thirtieth round. */
    private static final Duration BEFORE_ALL_IS_READ = Duration.ofSeconds(12);

    private static final Delays UNNOTICED =
            Delays.none().set(Delays.Of.GRACE, Duration.ofHours(1)).set(Delays.Of.INERTIA, Duration.ofHours(1));

    @Test
    void itIsNamed_becauseTheOperatorNamesIt(TestCluster cluster) throws Exception {
        try (SimulatedCluster workload = new SimulatedCluster(UNNOTICED);
                ControlPlaneScene scene = ControlPlaneScene.withClock(cluster, new OffsetClock())) {
            workload.install(scene);
            within(() -> scene.isTrue(ETCD));
            String lost = scene.peers.machines().getFirst().getMetadata().getName();

            workload.powerOff(lost);
            await().atMost(BEFORE_ALL_IS_READ)
                    .until(() ->
                            scene.message(ETCD).contains("etcd member " + lost + " does not answer: repair its host"));
            assertThat(scene.isTrue("ControlPlaneComponentsHealthy")).isTrue();

            workload.powerOn(lost);
            within(() -> scene.isTrue(ETCD));
        }
    }
}
