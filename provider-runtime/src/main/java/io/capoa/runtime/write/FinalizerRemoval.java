package io.capoa.runtime.write;

import io.capoa.runtime.client.ByName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Removes a finalizer from an object of which the API server may refuse every write in the stored version, because a value
 * has another type than its field: CEL rules are evaluated on unchanged fields too. In an older version the object has no
 * such value, and its schema has no rules.
 */
public final class FinalizerRemoval {

    private static final int INVALID = 422;

    private final KubernetesClient client;
    private final PatchContext merge;

    /** Writes through the client, as the field manager. */
    public FinalizerRemoval(KubernetesClient client, String fieldManager) {
        this.client = client;
        this.merge = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(fieldManager)
                .build();
    }

    /**
     * Removes it through the first served version that takes the write, the stored one first.
     *
     * @throws KubernetesClientException if all refuse, as the stored version did
     */
    public void remove(HasMetadata object, String finalizer) {
        CustomResourceDefinition definition = definition(HasMetadata.getFullResourceName(object.getClass()));
        List<String> kept = object.getMetadata().getFinalizers().stream()
                .filter(name -> !name.equals(finalizer))
                .toList();
        String body = client.getKubernetesSerialization()
                .asJson(Differences.withResourceVersion(
                        Map.of("metadata", Map.of("finalizers", kept)),
                        object.getMetadata().getResourceVersion()));
        List<String> versions = definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getServed()))
                .sorted(Comparator.comparing(CustomResourceDefinitionVersion::getStorage)
                        .reversed())
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
        KubernetesClientException refusal = null;
        for (String version : versions) {
            try {
                patch(object, definition, version, body);
                return;
            } catch (KubernetesClientException refused) {
                if (refused.getCode() != INVALID) {
                    throw refused;
                }
                refusal = refusal == null ? refused : refusal;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    /** By list: the bootstrap provider has no right to get. */
    private CustomResourceDefinition definition(String name) {
        return client
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withField("metadata.name", name)
                .list()
                .getItems()
                .stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("CustomResourceDefinition " + name + " is not installed"));
    }

    private void patch(HasMetadata object, CustomResourceDefinition definition, String version, String body) {
        ResourceDefinitionContext kind = new ResourceDefinitionContext.Builder()
                .withGroup(definition.getSpec().getGroup())
                .withVersion(version)
                .withKind(definition.getSpec().getNames().getKind())
                .withPlural(definition.getSpec().getNames().getPlural())
                .withNamespaced(true)
                .build();
        var unused = ByName.select(
                        client.genericKubernetesResources(kind)
                                .inNamespace(object.getMetadata().getNamespace()),
                        object.getMetadata().getName())
                .patch(merge, body);
    }
}
