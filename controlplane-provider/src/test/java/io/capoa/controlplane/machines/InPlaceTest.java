package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.MissingMachines.Missing;
import io.capoa.controlplane.testing.Objects;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In-place propagation to existing Machines, and their differences from the spec. */
class InPlaceTest {

    private static final ControlPlaneIdentity IDENTITY = Objects.identity();

    private final Machine machine = ControlPlaneMachine.desired(IDENTITY, new Missing("cp-x", "a", false));

    @Test
    void references_areKept_timeoutsArePropagated() {
        Map<String, Object> spec = Fields.map(machine, "spec");
        spec.put("deletion", Map.of("nodeDrainTimeoutSeconds", 5));
        spec.put(
                "infrastructureRef",
                Map.of("apiGroup", "infrastructure.cluster.x-k8s.io", "kind", "OtherMachine", "name", "cp-x"));

        Map<String, Object> desired = Fields.map(InPlace.machine(IDENTITY, machine), "spec");

        assertThat(desired)
                .containsEntry("deletion", Map.of("nodeDrainTimeoutSeconds", 60))
                .containsEntry("infrastructureRef", spec.get("infrastructureRef"))
                .containsEntry("failureDomain", "a");
    }

    @Test
    void aRemovedHook_isNotAddedBackWhileTheMachineIsDeleted() {
        for (String hook : DeletionHooks.ALL) {
            machine.getMetadata().getAnnotations().remove(hook);
            machine.getMetadata().setDeletionTimestamp(null);
            assertThat(InPlace.machine(IDENTITY, machine).getMetadata().getAnnotations())
                    .containsKeys(Annotations.PRE_DRAIN_HOOK, Annotations.PRE_TERMINATE_HOOK);
            machine.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            assertThat(InPlace.machine(IDENTITY, machine).getMetadata().getAnnotations())
                    .doesNotContainKey(hook);
            assertThat(DeletionHooks.on(InPlace.machine(IDENTITY, machine))).isEqualTo(DeletionHooks.on(machine));
        }
    }

    @Test
    void anOrphan_isAdopted() {
        machine.getMetadata().setOwnerReferences(List.of());
        assertThat(IDENTITY.controls(InPlace.machine(IDENTITY, machine))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"machine-uid, true", "another-uid, false"})
    void whatAMachineNames_isItsOwnByUid(String uid, boolean isPart) {
        machine.getMetadata().setUid("machine-uid");
        GenericKubernetesResource named = new GenericKubernetesResource();
        named.setMetadata(new ObjectMetaBuilder()
                .withName("cp-x")
                .withLabels(IDENTITY.labels())
                .addNewOwnerReference()
                .withKind("Machine")
                .withName("cp-x")
                .withUid(uid)
                .endOwnerReference()
                .build());
        assertThat(InPlace.isPart(IDENTITY, machine, named)).isEqualTo(isPart);
        named.getMetadata().setOwnerReferences(List.of(IDENTITY.owner()));
        assertThat(InPlace.isPart(IDENTITY, machine, named)).isTrue();
    }

    @Test
    void labelsAreAProof_onlyWhereNoControlPlaneIsTheOwner() {
        GenericKubernetesResource install = new GenericKubernetesResource();
        install.setMetadata(new ObjectMetaBuilder()
                .withName("cp")
                .withLabels(IDENTITY.labels())
                .build());
        assertThat(IDENTITY.isOurs(install)).isTrue();
        install.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder(IDENTITY.owner())
                        .withUid("another")
                        .build()));
        assertThat(IDENTITY.isOurs(install)).isFalse();
    }

    @Test
    void keysRemovedFromTheTemplate_areDropped() {
        assertThat(InPlace.dropped(
                        Set.of("old", "note", Annotations.PRE_DRAIN_HOOK, Annotations.PRE_TERMINATE_HOOK),
                        Map.of("note", "hello")))
                .containsExactly("old");
        assertThat(InPlace.metadata(IDENTITY, Set.of("old"), Set.of()).toString())
                .contains("old=null");
    }

    @Test
    void defaultsAndEmptyValues_areNotDifferences_otherValuesAre() {
        OpenshiftAssistedConfig config =
                Objects.read(OpenshiftAssistedConfig.class, "metadata: {name: cp-x}\nspec: {cpuArchitecture: x86_64}");
        assertThat(UpToDate.differences(IDENTITY, machine, config, null, Instant.now()))
                .isEmpty();
        OpenshiftAssistedConfig other =
                Objects.read(OpenshiftAssistedConfig.class, "metadata: {name: cp-x}\nspec: {cpuArchitecture: arm64}");
        assertThat(UpToDate.differences(IDENTITY, machine, other, null, Instant.now()))
                .singleElement()
                .asString()
                .endsWith("in cpuArchitecture");
        other.readWithout(List.of("spec is not held in memory"));
        assertThat(UpToDate.differences(IDENTITY, machine, other, null, Instant.now()))
                .as("nothing is replaced because of what is not held")
                .isEmpty();
        assertThat(UpToDate.differences(IDENTITY, machine, null, null, Instant.now()))
                .hasSize(1);
    }

    @Test
    void anotherInfrastructureTemplate_isADifference() {
        GenericKubernetesResource infrastructure = new GenericKubernetesResource();
        infrastructure.setKind("Metal3Machine");
        infrastructure.setMetadata(new ObjectMetaBuilder()
                .withName("cp-x")
                .addToAnnotations(Annotations.CLONED_FROM_NAME, "cp-template")
                .addToAnnotations(
                        Annotations.CLONED_FROM_GROUP_KIND, "Metal3MachineTemplate.infrastructure.cluster.x-k8s.io")
                .build());
        OpenshiftAssistedConfig config = BootstrapConfig.desired(IDENTITY, "cp-x", false);
        assertThat(UpToDate.differences(IDENTITY, machine, config, infrastructure, Instant.now()))
                .isEmpty();
        infrastructure.getMetadata().getAnnotations().put(Annotations.CLONED_FROM_NAME, "before");
        assertThat(UpToDate.differences(IDENTITY, machine, config, infrastructure, Instant.now()))
                .singleElement()
                .asString()
                .contains("before", "cp-template");
    }
}
