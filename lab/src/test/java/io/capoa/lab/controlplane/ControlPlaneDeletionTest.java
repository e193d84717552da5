package io.capoa.lab.controlplane;

import static io.capoa.lab.controlplane.Scene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deletion of a control plane at any step and in any order. */
@ExtendWith(SharedCluster.class)
class ControlPlaneDeletionTest {

    private static final String HELD = "{\"metadata\":{\"finalizers\":[\"lab.capoa.io/held\"]}}";
    private static final String FREE = "{\"metadata\":{\"finalizers\":null}}";

    @Test
    void beforeTheInfrastructureIsReady_nothingHoldsIt(TestCluster cluster) {
        try (Scene scene = Scene.of(cluster)) {
            scene.neighbours.cluster();
            scene.neighbours.onlyControlPlane();
            within(() -> scene.reason("Available").equals("WaitingForClusterInfrastructure"));
            delete(scene);
            within(() -> gone(scene));
        }
    }

    @Test
    void whileTheRegistryIsSilent_nothingHoldsIt(TestCluster cluster) {
        try (Scene scene = Scene.of(cluster)) {
            scene.running.registry.faults().down(true);
            scene.neighbours.controlPlane("spec: {distributionVersion: 4.17.33}");
            within(() -> scene.is("ReleaseResolved", "False"));
            delete(scene);
            within(() -> gone(scene));
            assertThat(scene.neighbours.deployment()).isNull();
            within(() -> scene.neighbours.machines().isEmpty());
        }
    }

    @Test
    void whileAssistedServiceIsStopped_itWaitsAndReportsForWhat(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            String imageSet = neighbours.imageSet().getMetadata().getName();
            neighbours.installState("installing");
            neighbours.merge(neighbours.install(), HELD);
            delete(scene);
            within(() -> scene.message("Deleting").contains("AgentClusterInstall one"));
            assertThat(scene.reason("Deleting")).isEqualTo("WaitingForInstallObjectsDeletion");
            assertThat(neighbours.machines()).isEmpty();
            assertThat(imageSet(neighbours, imageSet)).isNotNull();

            neighbours.merge(neighbours.install(), FREE);
            within(() -> gone(scene));
            assertThat(imageSet(neighbours, imageSet)).isNull();
        }
    }

    @Test
    void afterDeletionsInAnyOrder_itIsDeletedToo(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            String imageSet = neighbours.imageSet().getMetadata().getName();
            neighbours.machines().forEach(machine -> neighbours.merge(machine, HELD));
            delete(scene);
            within(() -> scene.reason("Deleting").equals("WaitingForMachineDeletion"));

            neighbours.client.resource(neighbours.owner()).delete();
            neighbours.client.resource(neighbours.imageSet()).delete();
            neighbours.client.resource(neighbours.deployment()).delete();
            neighbours.client.resource(neighbours.install()).delete();
            neighbours.machines().forEach(machine -> neighbours.merge(machine, FREE));

            within(() -> gone(scene));
            assertThat(imageSet(neighbours, imageSet)).isNull();
            assertThat(neighbours.deployment()).isNull();
        }
    }

    @Test
    void onceInstalled_theKubeconfigIsDeletedWithIt(TestCluster cluster) {
        try (Scene scene = Scene.withControlPlane(cluster)) {
            Neighbours neighbours = scene.neighbours;
            neighbours.installState("finalizing");
            neighbours.publishKubeconfig("any");
            within(() -> scene.isTrue("Available"));
            // The basis of garbage collection.
            assertThat(neighbours.kubeconfig().getMetadata().getOwnerReferences())
                    .extracting("uid")
                    .containsExactly(neighbours.current().getMetadata().getUid());
            delete(scene);
            within(() -> gone(scene));
        }
    }

    private static void delete(Scene scene) {
        scene.neighbours.client.resource(scene.neighbours.current()).delete();
    }

    private static boolean gone(Scene scene) {
        return scene.neighbours
                        .client
                        .resources(OpenshiftAssistedControlPlane.class)
                        .inNamespace(scene.neighbours.namespace)
                        .withName(scene.neighbours.name)
                        .get()
                == null;
    }

    private static ClusterImageSet imageSet(Neighbours neighbours, String name) {
        return neighbours.client.resources(ClusterImageSet.class).withName(name).get();
    }
}
