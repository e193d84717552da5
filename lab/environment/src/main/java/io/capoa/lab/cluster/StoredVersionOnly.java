package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Our CRDs for an API server that no webhook of ours serves: without older versions and their conversion. With them and
 * without the webhook, objects of older versions could not be read; with another conversion they would be garbage.
 */
final class StoredVersionOnly {

    private static final String CONTRACT_LABELS = "cluster.x-k8s.io/";

    private StoredVersionOnly() {}

    /** Changes and returns the definitions. */
    static List<GenericKubernetesResource> of(List<GenericKubernetesResource> definitions) {
        definitions.forEach(StoredVersionOnly::reduce);
        return definitions;
    }

    private static void reduce(GenericKubernetesResource definition) {
        Map<String, Object> spec = Objects.requireNonNull(definition.get("spec"), "spec");
        var unused = spec.remove("conversion");
        List<Map<String, Object>> versions =
                new ArrayList<>(definition.<List<Map<String, Object>>>get("spec", "versions"));
        versions.removeIf(version -> !Boolean.TRUE.equals(version.get("storage")));
        spec.put("versions", versions);
        String stored = String.valueOf(versions.getFirst().get("name"));
        // A label that names a version which is not served is an error for Cluster API.
        definition
                .getMetadata()
                .getLabels()
                .entrySet()
                .removeIf(label -> label.getKey().startsWith(CONTRACT_LABELS)
                        && !label.getValue().equals(stored));
    }
}
