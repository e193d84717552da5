package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.DeletionHooks;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A dead Machine of three is replaced because the user consents to it alone, by an annotation. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class RemediationConsentTest {

    private static final String CONSENT = "\"overrideEtcdQuorumGuard\":true";

    /** The Machine with the annotation is gone when the guard is overridden. */
    @Test
    void theConsent_goesFromTheMachine_toTheControlPlane_andToTheReplacement(TestCluster cluster) throws Exception {
        try (SimulatedCluster workload = new SimulatedCluster();
                ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            ControlPlanePeers peers = scene.peers;
            workload.install(scene);
            Set<String> before = names(peers);
            Machine dead = peers.machines().getFirst();
            String name = dead.getMetadata().getName();
            peers.merge(dead, "{\"metadata\":{\"finalizers\":[\"machine.cluster.x-k8s.io\"]}}");
            workload.powerOff(name);
            RemediationDuringUpgradeTest.unhealthy(peers, dead);
            within(() -> RemediationDuringUpgradeTest.ownerRemediated(machine(peers, name))
                    .contains(Annotations.OVERRIDE_QUORUM_GUARD));
            assertThat(machine(peers, name).isMarkedForDeletion()).isFalse();

            peers.merge(
                    machine(peers, name),
                    "{\"metadata\":{\"annotations\":{\"%s\":\"\",\"%s\":\"\"}}}"
                            .formatted(Annotations.OVERRIDE_QUORUM_GUARD, Annotations.HOST_IS_OFF));
            within(() -> machine(peers, name).isMarkedForDeletion());
            assertThat(annotation(peers.current(), Annotations.REMEDIATION_IN_PROGRESS))
                    .contains(name, CONSENT);

            drained(peers, machine(peers, name));
            within(() -> DeletionHooks.on(machine(peers, name)).isEmpty());
            peers.merge(machine(peers, name), "{\"metadata\":{\"finalizers\":null}}");
            within(() -> peers.machines().size() == 3 && !names(peers).contains(name));
            Machine replacement = peers.machines().stream()
                    .filter(machine -> !before.contains(machine.getMetadata().getName()))
                    .findFirst()
                    .orElseThrow();
            String successor = replacement.getMetadata().getName();
            within(() -> annotation(peers.current(), Annotations.REMEDIATION_IN_PROGRESS)
                    .isEmpty());
            assertThat(annotation(machine(peers, successor), Annotations.REMEDIATION_FOR))
                    .contains(name, CONSENT);

            workload.join(peers, replacement, "192.0.2.100");
            within(() -> Annotations.has(peers.current(), Annotations.QUORUM_GUARD_OVERRIDDEN));
            within(() -> !Annotations.has(peers.current(), Annotations.QUORUM_GUARD_OVERRIDDEN));
            within(() -> scene.isTrue("EtcdClusterHealthy"));
        }
    }

    /** As Cluster API reports it. */
    private static void drained(ControlPlanePeers peers, Machine machine) {
        peers.status(machine, """
            {"status":{"conditions":[
              {"type":"Ready","status":"False","reason":"Told","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
              {"type":"HealthCheckSucceeded","status":"False","reason":"Told","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
              {"type":"Deleting","status":"True","reason":"WaitingForPreTerminateHook","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
            """);
    }

    private static Machine machine(ControlPlanePeers peers, String name) {
        return Objects.requireNonNull(RemediationDuringUpgradeTest.machine(peers, name));
    }

    private static String annotation(HasMetadata object, String name) {
        return Objects.requireNonNullElse(Annotations.value(object, name), "");
    }

    private static Set<String> names(ControlPlanePeers peers) {
        return peers.machines().stream()
                .map(machine -> machine.getMetadata().getName())
                .collect(Collectors.toSet());
    }
}
