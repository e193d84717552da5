package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class UpdatePredicateTest {

    private static final String MACHINE = """
        apiVersion: cluster.x-k8s.io/v1beta2
        kind: Machine
        metadata:
          name: m
          namespace: n
          resourceVersion: "1"
          generation: 1
          managedFields:
          - {manager: us, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {f:spec: {}}}
          - {manager: us, operation: Apply, subresource: status, apiVersion: v1}
          - {manager: them, operation: Update, apiVersion: v1}
        spec: {clusterName: c}
        status:
          phase: Running
          conditions:
          - {type: Ready, status: "True", reason: Ready}
          - {type: NodeHealthy, status: "True", reason: Ready}
        """;

    @Test
    void aNewVersionOfTheSame_isNoChange() {
        assertThat(hasChanged(machine -> {
                    machine.getMetadata().setResourceVersion("2");
                    machine.getMetadata().setGeneration(2L);
                    machine.getMetadata().setManagedFields(null);
                }))
                .isFalse();
    }

    @Test
    void whatPeopleAndControllersSet_isAChange() {
        assertThat(hasChanged(machine -> machine.setAdditionalProperty("spec", "other")))
                .isTrue();
        assertThat(hasChanged(machine -> machine.getMetadata().setLabels(Map.of("a", "b"))))
                .isTrue();
        assertThat(hasChanged(machine -> machine.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z")))
                .isTrue();
        assertThat(hasChanged(machine -> machine.getMetadata().setUid("another")))
                .isTrue();
    }

    @Test
    void finalizers_sayNothing_untilTheObjectIsBeingDeleted_exceptWhereTheyAreRead() {
        Machine before = machine(MACHINE);
        Machine after = machine(MACHINE);
        after.getMetadata().setFinalizers(List.of("f"));

        assertThat(UpdatePredicate.hasChanged(before, after)).isFalse();
        assertThat(UpdatePredicate.hasChangedWithFinalizers(before, after)).isTrue();

        before.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        after.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(UpdatePredicate.hasChanged(before, after)).isTrue();
    }

    @Test
    void aFieldThatIsNotKept_saysNothing() {
        assertThat(UpdatePredicate.hasChanged(
                        kept(machine(MACHINE)), kept(machine(MACHINE.replace("Running", "Failed")))))
                .isFalse();
        assertThat(UpdatePredicate.hasChanged(
                        kept(machine(MACHINE)), kept(machine(MACHINE.replace("NodeHealthy", "NodeReady")))))
                .isFalse();
        assertThat(UpdatePredicate.hasChanged(
                        kept(machine(MACHINE)), kept(machine(MACHINE.replaceFirst("\"True\"", "\"False\"")))))
                .isTrue();
    }

    @Test
    void ofManagedFieldsOnlyWhatThisManagerApplied_isKept() {
        Machine machine = CachePruning.withOwnFields(machine(MACHINE), "us");

        assertThat(machine.getMetadata().getManagedFields()).singleElement().satisfies(entry -> {
            assertThat(entry.getManager()).isEqualTo("us");
            assertThat(entry.getSubresource()).isNull();
        });
    }

    @Test
    void theContentOfASecret_counts() {
        Secret before = new SecretBuilder()
                .withNewMetadata()
                .endMetadata()
                .addToData("a", "Yg==")
                .build();
        Secret after = new SecretBuilder()
                .withNewMetadata()
                .endMetadata()
                .addToData("a", "Yw==")
                .build();

        assertThat(UpdatePredicate.hasChanged(before, after)).isTrue();
        assertThat(UpdatePredicate.hasChanged(before, before)).isFalse();
    }

    private static Machine kept(Machine machine) {
        return CachePruning.conditions(CachePruning.status(machine, Set.of("conditions")), Set.of("Ready"));
    }

    private static boolean hasChanged(Consumer<Machine> edit) {
        Machine after = machine(MACHINE);
        edit.accept(after);
        return UpdatePredicate.hasChanged(machine(MACHINE), after);
    }

    private static Machine machine(String yaml) {
        return Serialization.unmarshal(yaml, Machine.class);
    }
}
