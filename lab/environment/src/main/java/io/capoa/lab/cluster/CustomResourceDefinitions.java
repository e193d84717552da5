package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Applies CustomResourceDefinitions as in their publisher's release, and waits until their resources are served. */
public final class CustomResourceDefinitions {

    public static final String KIND = "CustomResourceDefinition";

    private static final ResourceDefinitionContext CRD = new ResourceDefinitionContext.Builder()
            .withGroup("apiextensions.k8s.io")
            .withVersion("v1")
            .withKind(KIND)
            .withPlural("customresourcedefinitions")
            .withNamespaced(false)
            .build();
    private static final String CLUSTER_API_GROUP = "cluster.x-k8s.io";
    private static final List<String> CONTRACTS = List.of("v1beta1", "v1beta2");

    private final KubernetesClient client;

    public CustomResourceDefinitions(KubernetesClient client) {
        this.client = client;
    }

    /** Applies all; returns when all resources are served. */
    public void install(List<GenericKubernetesResource> definitions) {
        Together.forEach(definitions, definition -> {
            var unused = client.genericKubernetesResources(CRD)
                    .resource(withContractLabels(definition))
                    .fieldManager("lab")
                    .forceConflicts()
                    .serverSideApply();
        });
        new ServedResources(client).await(definitions);
    }

    /**
     * Adds the labels that name the version for each contract of Cluster API, as publishers do with kustomize:
     * references to the kind cannot be resolved without them (CAPI contracts, "CRD contract labels"). Existing labels
     * are kept.
     */
    static GenericKubernetesResource withContractLabels(GenericKubernetesResource definition) {
        String group = definition.get("spec", "group");
        if (!group.equals(CLUSTER_API_GROUP) && !group.endsWith("." + CLUSTER_API_GROUP)) {
            return definition;
        }
        Map<String, String> labels = new TreeMap<>(
                Objects.requireNonNullElse(definition.getMetadata().getLabels(), Map.of()));
        if (CONTRACTS.stream().anyMatch(contract -> labels.containsKey(CLUSTER_API_GROUP + "/" + contract))) {
            return definition;
        }
        List<String> versions = versions(definition);
        CONTRACTS.stream()
                .filter(versions::contains)
                .forEach(contract -> labels.put(CLUSTER_API_GROUP + "/" + contract, contract));
        definition.getMetadata().setLabels(labels);
        return definition;
    }

    private static List<String> versions(GenericKubernetesResource definition) {
        List<Map<String, Object>> versions = definition.get("spec", "versions");
        return versions.stream().map(version -> (String) version.get("name")).toList();
    }
}
