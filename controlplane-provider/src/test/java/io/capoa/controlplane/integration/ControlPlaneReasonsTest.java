package io.capoa.controlplane.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.report.ReconcileTriggers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What wakes a control plane while its cluster is installed, from the metrics of its manager. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class ControlPlaneReasonsTest {

    private static final String CONFIGS = "OpenshiftAssistedConfig";

    /** Reconciles from the first object until hosts are awaited that write nothing; events that come together are one. */
    private static final int IDLE_UNTIL_HOSTS_ARE_AWAITED = 3;

    @Test
    void aConfig_wakesItsControlPlaneByWhatIsRead(TestCluster cluster) {
        try (ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            ReconcileTriggers begun = scene.running.triggers();
            assertThat(begun.idle().values().stream().mapToLong(Long::longValue).sum())
                    .as("%s", begun)
                    .isLessThanOrEqualTo(IDLE_UNTIL_HOSTS_ARE_AWAITED);

            scene.peers.machines().forEach(machine -> own(scene, machine));
            scene.peers.installState("installing");
            scene.untilReconciled();
            scene.peers
                    .machines()
                    .forEach(machine -> condition(scene, machine, "AgentRegistered", "True", "Registered"));
            scene.untilReconciled();
            assertThat(scene.running.triggers().since(begun).of(CONFIGS))
                    .as("owners and hosts of an installation that runs")
                    .isZero();

            ReconcileTriggers hosts = scene.running.triggers();
            scene.peers.status(
                    scene.peers.deployment(),
                    "{\"status\":{\"conditions\":[{\"type\":\"RequirementsMet\",\"status\":\"True\",\"reason\":\"R\",\"message\":\"m\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\",\"lastProbeTime\":\"2026-01-01T00:00:00Z\"}]}}");
            scene.untilReconciled();
            assertThat(scene.running.triggers().since(hosts).of("ClusterDeployment"))
                    .as("what Hive reports of the ClusterDeployment")
                    .isZero();

            List<Machine> machines = scene.peers.machines();
            machines.forEach(machine ->
                    untilItWakes(scene, () -> scene.peers.ready(machine, false, "* BootstrapConfigReady: no host")));
            scene.untilReconciled();
            ReconcileTriggers known = scene.running.triggers();
            machines.forEach(machine -> scene.peers.ready(machine, false, "* NodeHealthy: no node"));
            scene.untilReconciled();
            untilItWakes(scene, () -> scene.peers.ready(machines.getFirst(), true));
            assertThat(scene.running.triggers().since(known).of("Machine"))
                    .as("what a node lacks while the cluster is being installed, before a Machine is ready")
                    .isOne();

            Machine failed = scene.peers.machines().getFirst();
            condition(scene, failed, "Installed", "False", "InstallationFailed");
            ControlPlaneScene.within(() -> scene.running.triggers().since(begun).of(CONFIGS) == 1);
        }
    }

    /** Events of a watch keep their order: all that came before the change has been seen with it. */
    private static void untilItWakes(ControlPlaneScene scene, Runnable changeOfMachine) {
        ReconcileTriggers before = scene.running.triggers();
        changeOfMachine.run();
        ControlPlaneScene.within(() -> scene.running.triggers().since(before).of("Machine") > 0);
    }

    /** As Cluster API does with the config that a Machine names: it becomes its controller in place of the control plane. */
    private static void own(ControlPlaneScene scene, Machine machine) {
        scene.peers.merge(
                config(scene, machine),
                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"cluster.x-k8s.io/v1beta2\",\"kind\":\"Machine\",\"name\":\"%s\",\"uid\":\"%s\",\"controller\":true,\"blockOwnerDeletion\":true}]}}"
                        .formatted(
                                machine.getMetadata().getName(),
                                machine.getMetadata().getUid()));
    }

    private static void condition(ControlPlaneScene scene, Machine machine, String type, String status, String reason) {
        scene.peers.status(
                config(scene, machine),
                "{\"status\":{\"conditions\":[{\"type\":\"%s\",\"status\":\"%s\",\"reason\":\"%s\",\"message\":\"m\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}"
                        .formatted(type, status, reason));
    }

    private static OpenshiftAssistedConfig config(ControlPlaneScene scene, Machine machine) {
        return scene.peers
                .client
                .resources(OpenshiftAssistedConfig.class)
                .inNamespace(scene.peers.namespace)
                .withName(machine.getMetadata().getName())
                .require();
    }
}
