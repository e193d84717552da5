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
import java.util.stream.Stream;

/**
 * Writes to an object of which the API server may refuse every write in the stored version, because a value has another
 * type than its field, or because the whole spec is missing: rules and required fields are checked on unchanged objects too.
 * In an older version the object has no such value, and its schema has no such rules.
 */
public final class AnyVersionWriter {

    private static final int INVALID = 422;

    private final KubernetesClient client;
    private final PatchContext merge;

    /** Writes through the client, as the field manager. */
    public AnyVersionWriter(KubernetesClient client, String fieldManager) {
        this.client = client;
        this.merge = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(fieldManager)
                .build();
    }

    /**
     * Removes a finalizer. An older version may have lost values of wrong types, which an object that goes needs no longer.
     *
     * @throws KubernetesClientException if no version takes the write
     */
    public void removeFinalizer(HasMetadata object, String finalizer) {
        finalizers(object, object.getMetadata().getFinalizers().stream().filter(name -> !name.equals(finalizer)));
    }

    /**
     * Adds a finalizer to an object that lacks its spec, of which no version loses anything.
     *
     * @throws KubernetesClientException if no version takes the write
     */
    public void addFinalizer(HasMetadata object, String finalizer) {
        finalizers(object, Stream.concat(object.getMetadata().getFinalizers().stream(), Stream.of(finalizer)));
    }

    /**
     * Replaces fields of the status of an object that lacks its spec.
     *
     * @param status as in the stored version; an older one takes those of its fields that have the same form
     * @throws KubernetesClientException if no version takes the write
     */
    public void status(HasMetadata object, Object status) {
        write(object, Map.of("status", status), true);
    }

    private void finalizers(HasMetadata object, Stream<String> finalizers) {
        write(
                object,
                Differences.onlyIf(
                        Map.of("metadata", Map.of("finalizers", finalizers.toList())),
                        "resourceVersion",
                        object.getMetadata().getResourceVersion()),
                false);
    }

    /** Through the first served version that takes it: the stored one, then from the newest to the oldest. */
    private void write(HasMetadata object, Map<String, Object> patch, boolean ofStatus) {
        CustomResourceDefinition definition = definition(HasMetadata.getFullResourceName(object.getClass()));
        String body = client.getKubernetesSerialization().asJson(patch);
        List<String> versions = definition.getSpec().getVersions().stream()
                .filter(version -> Boolean.TRUE.equals(version.getServed()))
                .sorted(Comparator.comparing(CustomResourceDefinitionVersion::getStorage)
                        .thenComparing(CustomResourceDefinitionVersion::getName)
                        .reversed())
                .map(CustomResourceDefinitionVersion::getName)
                .toList();
        KubernetesClientException refusal = null;
        for (String version : versions) {
            try {
                patch(object, definition, version, body, ofStatus);
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

    private void patch(
            HasMetadata object, CustomResourceDefinition definition, String version, String body, boolean ofStatus) {
        ResourceDefinitionContext kind = new ResourceDefinitionContext.Builder()
                .withGroup(definition.getSpec().getGroup())
                .withVersion(version)
                .withKind(definition.getSpec().getNames().getKind())
                .withPlural(definition.getSpec().getNames().getPlural())
                .withNamespaced(true)
                .build();
        var stored = ByName.select(
                client.genericKubernetesResources(kind)
                        .inNamespace(object.getMetadata().getNamespace()),
                object.getMetadata().getName());
        var unused = ofStatus ? stored.subresource("status").patch(merge, body) : stored.patch(merge, body);
    }
}
