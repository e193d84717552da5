package io.capoa.controlplane.steps.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What stops the removal of a node while the caches are stale. */
class FenceTest {

    private static final String LEAVING = "deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [x], annotations: {"
            + Annotations.PRE_TERMINATE_HOOK + ": ''";

    private final ControlPlaneIdentity identity = Objects.identity();
    private final OpenshiftAssistedControlPlane live = identity.controlPlane();

    @Test
    void unchangedObjects_mayProceed() {
        assertThat(stopped(live, cluster("u", ""))).isNull();
        assertThat(changed(machine("m", LEAVING + "}"))).isNull();
    }

    @Test
    void aPausedClusterOrControlPlaneOrMachine_stopsTheRemoval() {
        assertThat(stopped(live, cluster("u", "spec: {paused: true}"))).isEqualTo("reconciliation is paused");
        OpenshiftAssistedControlPlane paused =
                Objects.identity("{" + Annotations.PAUSED + ": ''}", "").controlPlane();
        assertThat(stopped(paused, cluster("u", ""))).isEqualTo("reconciliation is paused");
        assertThat(changed(machine("m", LEAVING + ", " + Annotations.PAUSED + ": ''}")))
                .contains("paused");
    }

    @Test
    void aReplacedOrDeletedObject_stopsTheRemoval() {
        assertThat(stopped(live, cluster("other", ""))).contains("Cluster");
        assertThat(stopped(live, null)).contains("Cluster");
        assertThat(stopped(null, cluster("u", ""))).contains("control plane");
        assertThat(changed(machine("successor", LEAVING + "}"))).contains("changed");
        assertThat(changed()).contains("changed");
        assertThat(changed(machine("m", "annotations: {}"))).contains("changed");
        assertThat(changed(machine("m", LEAVING + "}"), machine("new", "annotations: {}")))
                .contains("just been created");
    }

    @Test
    void anotherSpec_stopsWhatWasDecidedOnTheOneBefore() {
        OpenshiftAssistedControlPlane edited = Objects.identity().controlPlane();
        edited.getMetadata().setGeneration(7L);

        assertThat(stopped(edited, cluster("u", ""))).contains("spec of the control plane has just changed");
    }

    @Test
    void aMachineIsChosenForDeletion_onlyAmongMachinesAsTheyAre() {
        ControlPlaneObservation observation = observation(labelled("a", 1), labelled("b", 1));

        assertThat(Fence.sees(observation, List.of(labelled("b", 1), labelled("a", 1))))
                .isTrue();
        assertThat(Fence.sees(observation, List.of(labelled("a", 1), labelled("b", 2))))
                .as("the other one has been marked")
                .isFalse();
        assertThat(Fence.sees(observation, List.of(labelled("a", 1))))
                .as("the other one has been deleted")
                .isFalse();
        assertThat(Fence.sees(observation, List.of(labelled("a", 1), labelled("b", 1), labelled("c", 1))))
                .as("a third one has been created")
                .isFalse();
    }

    @Test
    void aMachineThatHasLostItsLabels_isNotAwaitedInTheListByLabels() {
        ControlPlaneObservation observation = observation(labelled("a", 1), machine("b", "resourceVersion: '1'"));

        assertThat(Fence.sees(observation, List.of(labelled("a", 1)))).isTrue();
    }

    private Machine labelled(String uid, int version) {
        Machine machine = machine(uid, "resourceVersion: '%d'".formatted(version));
        machine.getMetadata().setLabels(identity.selector());
        return machine;
    }

    private @Nullable String changed(Machine... now) {
        Machine known = machine("m", LEAVING + "}");
        return Fence.changed(observation(known), known, List.of(now));
    }

    private @Nullable String stopped(@Nullable OpenshiftAssistedControlPlane controlPlane, @Nullable Cluster cluster) {
        return Fence.stopped(observation(), controlPlane, cluster);
    }

    private ControlPlaneObservation observation(Machine... machines) {
        return ControlPlaneObservations.of(identity, cluster("u", ""), null, null, List.of(machines), List.of());
    }

    private static Cluster cluster(String uid, String spec) {
        return Objects.read(Cluster.class, "metadata: {name: one, uid: %s}\n%s".formatted(uid, spec));
    }

    private static Machine machine(String uid, String metadata) {
        return Objects.read(Machine.class, "metadata: {name: m, uid: %s, %s}".formatted(uid, metadata));
    }
}
