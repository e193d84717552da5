package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineHealthCheck;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MachineHealthChecks of a Cluster wait while it is upgraded. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class HealthChecksDuringUpgradeTest {

    private static final String PAUSED = "cluster.x-k8s.io/paused";
    private static final String MARKER = "controlplane.cluster.x-k8s.io/paused-for-upgrade";

    @Test
    void theyArePausedWithAMarker_alsoNewOnes_andReleasedByASuccessor_butNotAPauseOfTheUser(TestCluster cluster)
            throws Exception {
        try (SimulatedCluster workload = new SimulatedCluster();
                ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            ControlPlanePeers peers = scene.peers;
            workload.install(scene);
            create(peers, "early", "one", "");
            create(peers, "by-user", "one", PAUSED + ": mine");
            create(peers, "foreign", "another", "");

            workload.upgrade();
            within(() -> annotations(peers, "early").containsKey(PAUSED));
            assertThat(annotations(peers, "early")).containsEntry(MARKER, "one");
            create(peers, "late", "one", "");
            within(() -> annotations(peers, "late").containsKey(MARKER));
            assertThat(annotations(peers, "by-user")).isEqualTo(Map.of(PAUSED, "mine"));
            assertThat(annotations(peers, "foreign")).isEmpty();

            scene.running.stop();
            workload.upgraded();
            scene.running.start();
            within(() -> annotations(peers, "early").isEmpty()
                    && annotations(peers, "late").isEmpty());
            assertThat(annotations(peers, "by-user")).isEqualTo(Map.of(PAUSED, "mine"));
        }
    }

    @Test
    void theyArePausedFromTheRequestOn_whileTheClusterRetrievesTheRelease(TestCluster cluster) throws Exception {
        try (SimulatedCluster workload = new SimulatedCluster();
                ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            ControlPlanePeers peers = scene.peers;
            workload.install(scene);
            create(peers, "early", "one", "");

            workload.retrieve();
            within(() -> annotations(peers, "early").containsKey(PAUSED));
            within(() -> scene.message("UpgradeAvailable").contains("is being upgraded to 4.20.4"));

            workload.clear();
            within(() -> annotations(peers, "early").isEmpty());
        }
    }

    @Test
    void anOrdinaryMachineConfig_pausesThemToo_andKeepsUnhealthyMachines(TestCluster cluster) throws Exception {
        try (SimulatedCluster workload = new SimulatedCluster();
                ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            ControlPlanePeers peers = scene.peers;
            peers.edit("spec: {remediation: {overrideEtcdQuorumGuard: true}}");
            workload.install(scene);
            create(peers, "early", "one", "");

            workload.configureMasters(true);
            within(() -> annotations(peers, "early").containsKey(MARKER));
            Machine rebooting = peers.machines().getFirst();
            RemediationDuringUpgradeTest.unhealthy(peers, rebooting);
            within(() -> RemediationDuringUpgradeTest.ownerRemediated(RemediationDuringUpgradeTest.machine(
                            peers, rebooting.getMetadata().getName()))
                    .contains("MachineConfigPool master 0 of 3 nodes"));

            workload.configureMasters(false);
            within(() -> annotations(peers, "early").isEmpty());
            within(() -> RemediationDuringUpgradeTest.machine(
                            peers, rebooting.getMetadata().getName())
                    == null);
        }
    }

    private static void create(ControlPlanePeers peers, String name, String cluster, String annotation) {
        peers.apply("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata:
              name: %s
              annotations: {%s}
            spec:
              clusterName: %s
              selector: {matchLabels: {a: b}}
            """.formatted(name, annotation, cluster));
    }

    private static Map<String, String> annotations(ControlPlanePeers peers, String name) {
        return Objects.requireNonNullElse(
                peers.client
                        .resources(MachineHealthCheck.class)
                        .inNamespace(peers.namespace)
                        .withName(name)
                        .require()
                        .getMetadata()
                        .getAnnotations(),
                Map.of());
    }
}
