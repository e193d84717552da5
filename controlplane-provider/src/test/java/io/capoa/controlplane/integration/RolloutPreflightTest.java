package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A rollout of an installed control plane whose kube-apiserver breaks. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class RolloutPreflightTest {

    @Test
    void itWaitsWhileKubeApiserverIsNotWell_saysWhy_andContinues(TestCluster cluster) throws Exception {
        try (SimulatedCluster workload = new SimulatedCluster();
                ControlPlaneScene scene = ControlPlaneScene.ownWithControlPlane(cluster)) {
            ControlPlanePeers peers = scene.peers;
            workload.install(scene);
            workload.degrade("kube-apiserver", true);

            peers.edit("spec: {rollout: {strategy: {type: RollingUpdate}},"
                    + " openshiftAssistedConfigSpec: {nodeLabels: {rack: b}}}");
            within(() -> scene.isTrue("RollingOut")
                    && scene.message("RollingOut")
                            .contains("ClusterOperator kube-apiserver is degraded (kube-apiserver is degraded)"));
            assertThat(peers.machines()).as("no Machine is created").hasSize(3);

            workload.degrade("kube-apiserver", false);
            within(() -> peers.machines().size() == 4);
            assertThat(scene.isTrue("MachinesReady")).as("with one that joins").isTrue();
        }
    }
}
