package io.capoa.runtime.migration;

import static io.capoa.runtime.migration.MigrationPhase.CLEANUP_MANAGED_FIELDS;
import static io.capoa.runtime.migration.MigrationPhase.STORAGE_VERSION_MIGRATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MigrationPlanTest {

    @Test
    void objectsOfAnOlderVersion_areStoredAgain() {
        MigrationPlan plan = MigrationPlan.of(definition(List.of("v1alpha2", "v1beta1"), Map.of()), Set.of());

        assertThat(plan.storage()).isEqualTo("v1beta1");
        assertThat(plan.served()).containsExactlyInAnyOrder("example.com/v1alpha2", "example.com/v1beta1");
        assertThat(plan.hasStatus()).isTrue();
        assertThat(plan.phases()).containsExactlyInAnyOrder(STORAGE_VERSION_MIGRATION, CLEANUP_MANAGED_FIELDS);
    }

    @Test
    void whereOneVersionIsStored_onlyManagedFieldsAreLookedAt() {
        assertThat(MigrationPlan.of(definition(List.of("v1beta1"), Map.of()), Set.of())
                        .phases())
                .containsExactly(CLEANUP_MANAGED_FIELDS);
    }

    @Test
    void oneStoredVersionThatIsNotTheStorageVersion_isMigrated() {
        assertThat(MigrationPlan.of(definition(List.of("v1alpha2"), Map.of()), Set.of())
                        .has(STORAGE_VERSION_MIGRATION))
                .isTrue();
    }

    @Test
    void aGenerationThatWasMigrated_isDone_andALaterOneIsNot() {
        assertThat(MigrationPlan.of(
                                definition(
                                        List.of("v1alpha2", "v1beta1"),
                                        Map.of("crd-migration.cluster.x-k8s.io/observed-generation", "7")),
                                Set.of())
                        .phases())
                .isEmpty();
        assertThat(MigrationPlan.of(
                                definition(
                                        List.of("v1alpha2", "v1beta1"),
                                        Map.of("crd-migration.cluster.x-k8s.io/observed-generation", "6")),
                                Set.of())
                        .phases())
                .hasSize(2);
    }

    @Test
    void skippedPhases_areLeftOut() {
        assertThat(MigrationPlan.of(definition(List.of("v1alpha2"), Map.of()), Set.of(STORAGE_VERSION_MIGRATION))
                        .phases())
                .containsExactly(CLEANUP_MANAGED_FIELDS);
    }

    private static CustomResourceDefinition definition(List<String> stored, Map<String, String> annotations) {
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withGeneration(7L)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withGroup("example.com")
                .addNewVersion()
                .withName("v1alpha1")
                .withServed(false)
                .withStorage(false)
                .endVersion()
                .addNewVersion()
                .withName("v1alpha2")
                .withServed(true)
                .withStorage(false)
                .endVersion()
                .addNewVersion()
                .withName("v1beta1")
                .withServed(true)
                .withStorage(true)
                .withNewSubresources()
                .withNewStatus()
                .endStatus()
                .endSubresources()
                .endVersion()
                .endSpec()
                .withNewStatus()
                .withStoredVersions(stored)
                .endStatus()
                .build();
    }
}
