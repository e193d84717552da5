package io.capoa.runtime.migration;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is left to do about the objects of one CRD.
 *
 * @param storage the version in which objects are stored from now on
 * @param served {@code group/version} of each served version
 * @param hasStatus whether objects of the storage version have the status subresource
 * @param phases left to do
 */
record MigrationPlan(String storage, Set<String> served, boolean hasStatus, Set<MigrationPhase> phases) {

    /** On the CRD: its generation when the last migration ended; Cluster API's name. */
    static final String OBSERVED_GENERATION = "crd-migration.cluster.x-k8s.io/observed-generation";

    MigrationPlan {
        served = Set.copyOf(served);
        phases = Set.copyOf(phases);
    }

    static MigrationPlan of(CustomResourceDefinition definition, Set<MigrationPhase> skipped) {
        List<CustomResourceDefinitionVersion> versions = definition.getSpec().getVersions();
        CustomResourceDefinitionVersion storage = versions.stream()
                .filter(version -> Boolean.TRUE.equals(version.getStorage()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the CRD has no storage version"));
        return new MigrationPlan(
                storage.getName(),
                versions.stream()
                        .filter(version -> Boolean.TRUE.equals(version.getServed()))
                        .map(version -> definition.getSpec().getGroup() + "/" + version.getName())
                        .collect(Collectors.toSet()),
                storage.getSubresources() != null && storage.getSubresources().getStatus() != null,
                left(definition, storage.getName(), skipped));
    }

    private static Set<MigrationPhase> left(
            CustomResourceDefinition definition, String storage, Set<MigrationPhase> skipped) {
        Map<String, String> annotations = definition.getMetadata().getAnnotations();
        if (annotations != null && generation(definition).equals(annotations.get(OBSERVED_GENERATION))) {
            return Set.of();
        }
        boolean stored = definition.getStatus().getStoredVersions().equals(List.of(storage));
        return Set.of(MigrationPhase.values()).stream()
                .filter(phase -> !skipped.contains(phase))
                .filter(phase -> phase != MigrationPhase.STORAGE_VERSION_MIGRATION || !stored)
                .collect(Collectors.toSet());
    }

    /** The CRD's generation, as the annotation has it. */
    static String generation(CustomResourceDefinition definition) {
        return String.valueOf(definition.getMetadata().getGeneration());
    }

    boolean has(MigrationPhase phase) {
        return phases.contains(phase);
    }
}
