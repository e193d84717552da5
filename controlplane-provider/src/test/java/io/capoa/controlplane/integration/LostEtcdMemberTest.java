package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.testing.OffsetClock;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A member of etcd that is lost while its Node is Ready and the etcd operator available and not degraded yet. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class LostEtcdMemberTest {

    private static final String ETCD = "EtcdClusterHealthy";
    /** All is read with the thirtieth round; every other one asks this query. */
    private static final int ROUNDS_UNTIL_ALL_IS_READ = 30 / 2;

    private static final Delays UNNOTICED =
            Delays.none().set(Delays.Of.GRACE, Duration.ofHours(1)).set(Delays.Of.INERTIA, Duration.ofHours(1));

    @Test
    void itIsNamed_becauseTheOperatorNamesIt(TestCluster cluster) throws Exception {
        try (SimulatedCluster workload = new SimulatedCluster(UNNOTICED);
                ControlPlaneScene scene = ControlPlaneScene.withClock(cluster, new OffsetClock())) {
            workload.install(scene);
            within(() -> scene.isTrue(ETCD));
            String lost = scene.peers.machines().getFirst().getMetadata().getName();

            List<String> requests = workload.requests();
            workload.powerOff(lost);
            within(() -> scene.message(ETCD).contains("etcd member " + lost + " does not answer: repair its host"));
            assertThat(requests)
                    .filteredOn("GET /readyz"::equals)
                    .as("rounds without the operator's report")
                    .hasSizeLessThan(ROUNDS_UNTIL_ALL_IS_READ);
            assertThat(scene.isTrue("ControlPlaneComponentsHealthy")).isTrue();

            workload.powerOn(lost);
            within(() -> scene.isTrue(ETCD));
        }
    }
}
