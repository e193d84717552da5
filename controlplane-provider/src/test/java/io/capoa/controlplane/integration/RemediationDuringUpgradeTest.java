package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.testing.OffsetClock;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An administrator upgrades the cluster, which the provider asks about every few minutes only. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class RemediationDuringUpgradeTest {

    private static final Duration USUAL_PERIOD = Duration.ofMinutes(1);
    private static final Duration TOO_OLD = Observed.LONGEST_AGE.plus(Duration.ofSeconds(1));

    @Test
    void noMachineIsReplaced_onAnAnswerFromBeforeTheUpgrade(TestCluster cluster) throws Exception {
        OffsetClock clock = new OffsetClock();
        try (SimulatedCluster workload = new SimulatedCluster();
                ControlPlaneScene scene = ControlPlaneScene.withClock(cluster, clock, USUAL_PERIOD)) {
            ControlPlanePeers peers = scene.peers;
            peers.edit("spec: {remediation: {overrideEtcdQuorumGuard: true}}");
            workload.install(scene);
            within(() -> scene.status().availableUpdates() != null);
            String name = peers.machines().getFirst().getMetadata().getName();

            clock.pass(TOO_OLD);
            workload.upgrade();
            unhealthy(peers, machine(peers, name));
            within(() -> ownerRemediated(machine(peers, name)).contains("the cluster is being upgraded"));
            assertThat(machine(peers, name).getMetadata().getDeletionTimestamp())
                    .isNull();

            workload.upgraded();
            within(() -> machine(peers, name) == null);
        }
    }

    static @Nullable Machine machine(ControlPlanePeers peers, String name) {
        return peers.client
                .resources(Machine.class)
                .inNamespace(peers.namespace)
                .withName(name)
                .get();
    }

    /** As a MachineHealthCheck reports it. */
    static void unhealthy(ControlPlanePeers peers, Machine machine) {
        peers.status(machine, """
            {"status":{"conditions":[
              {"type":"Ready","status":"False","reason":"Told","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
              {"type":"HealthCheckSucceeded","status":"False","reason":"Told","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
              {"type":"OwnerRemediated","status":"False","reason":"WaitingForRemediation","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
            """);
    }

    static String ownerRemediated(@Nullable Machine machine) {
        assertThat(machine).as("it is deleted").isNotNull();
        return ConditionView.of(machine, "OwnerRemediated")
                .map(ConditionView::message)
                .orElse("");
    }
}
