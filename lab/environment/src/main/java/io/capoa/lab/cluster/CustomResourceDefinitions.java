package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Applies CustomResourceDefinitions as in their publisher's release, and removes them; waits until the API server has
 * done so.
 */
public final class CustomResourceDefinitions {

    public static final String KIND = "CustomResourceDefinition";

    private static final ResourceDefinitionContext CRD = new ResourceDefinitionContext.Builder()
            .withGroup("apiextensions.k8s.io")
            .withVersion("v1")
            .withKind(KIND)
            .withPlural("customresourcedefinitions")
            .withNamespaced(false)
            .build();
    private static final Duration REMOVAL = Duration.ofMinutes(3);
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
     * Removes those of the given names that exist, with their objects; returns when they are gone.
     *
     * <p>Their objects are listed first. A store that was not used since its definition changed opens at its first
     * list, which fails; kube-apiserver's CRDFinalizer then tries again with what its cache has, and if that is stale
     * it takes the conflict for a change that will wake it. Its own change does not, so that the deletion waits for the
     * next resync (seen with v1.36.3, one removal in 50).
     *
     * @throws ClusterException if their objects cannot be listed, or they are not gone in time
     */
    public void remove(Collection<String> names) {
        var present = client.genericKubernetesResources(CRD);
        List<GenericKubernetesResource> definitions = names.stream()
                .map(name -> present.withName(name).get())
                .filter(Objects::nonNull)
                .toList();
        new ServedResources(client).await(definitions);
        definitions.forEach(definition -> {
            var unused = present.resource(definition).delete();
        });
        definitions.forEach(definition -> awaitGone(present.resource(definition)));
    }

    private static void awaitGone(Resource<GenericKubernetesResource> definition) {
        try {
            var unused = definition.waitUntilCondition(Objects::isNull, REMOVAL.toSeconds(), TimeUnit.SECONDS);
        } catch (KubernetesClientTimeoutException e) {
            GenericKubernetesResource left = definition.get();
            throw new ClusterException(
                    "A CustomResourceDefinition is not gone after %d s: %s"
                            .formatted(REMOVAL.toSeconds(), left == null ? "" : left.getAdditionalProperties()),
                    e);
        }
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
