package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Deletion of a control plane at any step and in any order. */
@ExtendWith({SharedCluster.class, SharedControlPlane.class})
@Execution(ExecutionMode.CONCURRENT)
class ControlPlaneDeletionTest {

    private static final String HELD = "{\"metadata\":{\"finalizers\":[\"lab.capoa.io/held\"]}}";
    private static final String FREE = "{\"metadata\":{\"finalizers\":null}}";

    @Test
    void beforeTheInfrastructureIsReady_nothingHoldsIt(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            scene.peers.cluster();
            scene.peers.onlyControlPlane();
            within(() -> scene.reason("Available").equals("WaitingForClusterInfrastructure"));
            delete(scene);
            within(() -> gone(scene));
        }
    }

    /** Cluster API deletes the workers first, and the control plane when they are gone. */
    @Test
    void whileItsClusterIsBeingDeleted_noMachineIsCreated(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            Cluster cluster = peers.client
                    .resources(Cluster.class)
                    .inNamespace(peers.namespace)
                    .withName(peers.name)
                    .require();
            // Paused, so that nothing happens before its deletion is seen.
            peers.merge(cluster, HELD);
            peers.merge(cluster, "{\"spec\":{\"paused\":true}}");
            within(() -> scene.is("Paused", "True"));
            peers.client.resource(cluster).delete();
            peers.client.resource(peers.machines().getFirst()).delete();
            within(() -> peers.machines().size() == 2);
            peers.merge(cluster, "{\"spec\":{\"paused\":false}}");

            within(() -> scene.message("MachinesCreated").contains("the Cluster is being deleted"));
            assertThat(peers.machines()).hasSize(2);
            peers.merge(cluster, FREE);
        }
    }

    @Test
    void whileTheRegistryIsSilent_nothingHoldsIt(TestCluster cluster) {
        try (ControlPlaneScene scene = ControlPlaneScene.own(cluster)) {
            scene.running.registry.faults().down(true);
            scene.peers.controlPlane("spec: {distributionVersion: 4.17.33}");
            within(() -> scene.is("ReleaseResolved", "False"));
            delete(scene);
            within(() -> gone(scene));
            assertThat(scene.peers.deployment()).isNull();
            within(() -> scene.peers.machines().isEmpty());
        }
    }

    @Test
    void whileAssistedServiceIsStopped_itWaitsAndReportsForWhat(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            String imageSet = peers.imageSet().getMetadata().getName();
            peers.installState("installing");
            peers.merge(peers.install(), HELD);
            delete(scene);
            within(() -> scene.message("Deleting").contains("AgentClusterInstall one"));
            assertThat(scene.reason("Deleting")).isEqualTo("WaitingForInstallObjectsDeletion");
            assertThat(peers.machines()).isEmpty();
            assertThat(imageSet(peers, imageSet)).isNotNull();

            peers.merge(peers.install(), FREE);
            within(() -> gone(scene));
            assertThat(imageSet(peers, imageSet)).isNull();
        }
    }

    @Test
    void afterDeletionsInAnyOrder_itIsDeletedToo(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            String imageSet = peers.imageSet().getMetadata().getName();
            peers.machines().forEach(machine -> peers.merge(machine, HELD));
            delete(scene);
            within(() -> scene.reason("Deleting").equals("WaitingForMachineDeletion"));

            peers.client.resource(peers.owner()).delete();
            peers.client.resource(peers.imageSet()).delete();
            peers.client.resource(peers.deployment()).delete();
            peers.client.resource(peers.install()).delete();
            peers.machines().forEach(machine -> peers.merge(machine, FREE));

            within(() -> gone(scene));
            assertThat(imageSet(peers, imageSet)).isNull();
            assertThat(peers.deployment()).isNull();
        }
    }

    @Test
    void onceInstalled_theKubeconfigIsDeletedWithIt(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.installState("finalizing");
            peers.publishKubeconfig("any");
            within(() -> scene.isTrue("Available"));
            // The basis of garbage collection.
            assertThat(peers.kubeconfig().getMetadata().getOwnerReferences())
                    .extracting("uid")
                    .containsExactly(peers.current().getMetadata().getUid());
            delete(scene);
            within(() -> gone(scene));
        }
    }

    @Test
    void onceTakenFromTheWatchFilter_itsClusterIsAskedNoMore(RunningControlPlane shared) throws Exception {
        try (SimulatedCluster left = new SimulatedCluster();
                SimulatedCluster kept = new SimulatedCluster();
                ControlPlaneScene leaving = ControlPlaneScene.withControlPlane(shared);
                ControlPlaneScene staying = ControlPlaneScene.withControlPlane(shared)) {
            left.install(leaving);
            kept.install(staying);
            leaving.peers.leave();

            // The manager learns of it by a watch, and may be asking then.
            await("no request while the other is asked twice")
                    .atMost(ControlPlaneScene.SOON)
                    .untilAsserted(() -> {
                        List<String> requests = left.requests();
                        kept.untilAsked();
                        kept.untilAsked();
                        assertThat(requests).isEmpty();
                    });
        }
    }

    private static void delete(ControlPlaneScene scene) {
        scene.peers.client.resource(scene.peers.current()).delete();
    }

    private static boolean gone(ControlPlaneScene scene) {
        return scene.peers
                        .client
                        .resources(OpenshiftAssistedControlPlane.class)
                        .inNamespace(scene.peers.namespace)
                        .withName(scene.peers.name)
                        .get()
                == null;
    }

    private static ClusterImageSet imageSet(ControlPlanePeers peers, String name) {
        return peers.client.resources(ClusterImageSet.class).withName(name).get();
    }
}
