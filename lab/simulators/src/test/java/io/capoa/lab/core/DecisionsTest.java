package io.capoa.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DecisionsTest {

    @Test
    void aNumberIsNeverGivenOutTwice() {
        MachineSlots three = MachineSlots.parse(null).grownTo(3);
        MachineSlots again =
                MachineSlots.parse(three.without(List.of(2)).toString()).grownTo(3);

        assertThat(again.taken()).isEqualTo(Set.of(0, 1, 3));
        assertThat(again.next()).isEqualTo(4);
    }

    @Test
    void aCluster_isDeletedInOrder() {
        assertThat(ClusterDeletion.stage(true, true, true)).isEqualTo(ClusterDeletion.Stage.WORKERS);
        assertThat(ClusterDeletion.stage(false, true, true)).isEqualTo(ClusterDeletion.Stage.CONTROL_PLANE);
        assertThat(ClusterDeletion.stage(false, false, true)).isEqualTo(ClusterDeletion.Stage.INFRASTRUCTURE);
        assertThat(ClusterDeletion.stage(false, false, false)).isEqualTo(ClusterDeletion.Stage.DONE);
    }

    @Test
    void theHighestVersionOfAContractIsUsed() {
        assertThat(ContractVersion.highest("v1alpha3_v1beta1_v1alpha10")).isEqualTo("v1beta1");
        assertThat(ContractVersion.highest("v1beta2_v1")).isEqualTo("v1");
        assertThat(ContractVersion.plural("metal3machinetemplate")).isEqualTo("metal3machinetemplates");
        assertThat(ContractVersion.plural("proxy")).isEqualTo("proxies");
    }

    @Test
    void aMarkedMachineIsDeletedFirst_thenOneWithoutNode() {
        Machine healthy = machine("a", Map.of(), "node");
        Machine fresh = machine("b", Map.of(), null);
        Machine marked = machine("c", Map.of(Contract.DELETE_MACHINE, ""), "node");

        assertThat(ScaleDownOrder.first(List.of(healthy, fresh, marked), 2, "Random"))
                .containsExactly(marked, fresh);
    }

    @Test
    void workersWaitWhileAControlPlaneWithAVersionIsNotThereYet() {
        GenericKubernetesResource unversioned = controlPlane(Map.of(), Map.of());
        GenericKubernetesResource provisioning = controlPlane(Map.of("version", "v1.33.5"), Map.of());
        GenericKubernetesResource upgrading = controlPlane(Map.of("version", "v1.33.5"), Map.of("version", "v1.32.9"));
        GenericKubernetesResource stable =
                controlPlane(Map.of("version", "v1.33.5"), Map.of("versions", List.of(Map.of("version", "v1.33.5"))));

        assertThat(MachineSetPreflight.refusal(unversioned, null)).isNull();
        assertThat(MachineSetPreflight.refusal(provisioning, null)).contains("is provisioning");
        assertThat(MachineSetPreflight.refusal(provisioning, "ControlPlaneIsStable"))
                .isNull();
        assertThat(MachineSetPreflight.refusal(upgrading, null)).contains("is upgrading");
        assertThat(MachineSetPreflight.refusal(stable, null)).isNull();
    }

    @Test
    void aRolloutSurgesFirst_thenReplacesOneByOne() {
        assertThat(Rollout.next(3, 1, 0, 0, 3, 3)).isEqualTo(new Rollout(1, 3));
        assertThat(Rollout.next(3, 1, 0, 1, 3, 4)).isEqualTo(new Rollout(1, 2));
        assertThat(Rollout.next(3, 1, 0, 1, 2, 3)).isEqualTo(new Rollout(2, 2));
        assertThat(Rollout.next(3, 1, 0, 3, 0, 3)).isEqualTo(new Rollout(3, 0));
    }

    @Test
    void aRolloutWithoutSpareHost_takesOneAwayFirst() {
        assertThat(Rollout.next(2, 0, 1, 0, 2, 2)).isEqualTo(new Rollout(0, 1));
        assertThat(Rollout.next(2, 0, 1, 0, 1, 1)).isEqualTo(new Rollout(1, 1));
    }

    @Test
    void anUpdateInPlace_movesOneMachineAtATime_andWaitsUntilItIsAvailableAgain() {
        assertThat(InPlaceRollout.next(2, 0, 1, 0, 2, 2, 2)).isEqualTo(new InPlaceRollout(0, 1));
        assertThat(InPlaceRollout.next(2, 0, 1, 0, 1, 2, 2)).as("moving").isEqualTo(new InPlaceRollout(0, 1));
        assertThat(InPlaceRollout.next(2, 0, 1, 1, 1, 1, 1)).as("updating").isEqualTo(new InPlaceRollout(1, 1));
        assertThat(InPlaceRollout.next(2, 0, 1, 1, 1, 1, 2)).as("updated").isEqualTo(new InPlaceRollout(1, 0));
    }

    @Test
    void anUpdateInPlaceWithSurge_createsAMachineFirst() {
        assertThat(InPlaceRollout.next(2, 1, 0, 0, 2, 2, 2)).isEqualTo(new InPlaceRollout(1, 2));
        assertThat(InPlaceRollout.next(2, 1, 0, 1, 2, 2, 3)).isEqualTo(new InPlaceRollout(1, 1));
    }

    private static GenericKubernetesResource controlPlane(Map<String, ?> spec, Map<String, ?> status) {
        GenericKubernetesResource controlPlane = new GenericKubernetesResource();
        controlPlane.setKind("OpenshiftAssistedControlPlane");
        controlPlane.setMetadata(new ObjectMetaBuilder().withName("c").build());
        controlPlane.setAdditionalProperties(Map.of("spec", spec, "status", status));
        return controlPlane;
    }

    private static Machine machine(
            String name, Map<String, String> annotations, @org.jspecify.annotations.Nullable String node) {
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace("ns")
                .withCreationTimestamp("2026-01-01T00:00:00Z")
                .withAnnotations(annotations)
                .build());
        Map<String, Object> status = node == null ? Map.of() : Map.of("nodeRef", Map.of("name", node));
        machine.setAdditionalProperties(Map.of("status", status));
        return machine;
    }
}
