package io.capoa.runtime.write;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects as nested maps, in which they are compared. */
record ObjectMaps(KubernetesSerialization serialization) {

    /** A kind without classes is maps already, but for its metadata. */
    @SuppressWarnings("unchecked")
    Map<String, Object> of(HasMetadata resource) {
        if (!(resource instanceof GenericKubernetesResource generic)) {
            return serialization.convertValue(resource, Map.class);
        }
        Map<String, Object> map = new LinkedHashMap<>(generic.getAdditionalProperties());
        map.put("apiVersion", generic.getApiVersion());
        map.put("kind", generic.getKind());
        map.put("metadata", metadata(generic.getMetadata()));
        return map;
    }

    /** What concurrent writers may have changed of it, see {@link ConcurrentChangeDetector}. */
    Map<String, Object> compared(HasMetadata object) {
        Map<String, Object> content = new LinkedHashMap<>(
                object instanceof GenericKubernetesResource generic ? generic.getAdditionalProperties() : of(object));
        content.put("metadata", ConcurrentChangeDetector.metadata(object.getMetadata()));
        return content;
    }

    /** What writers set of an object's metadata; managed fields are compared by themselves, see {@link OwnedFields}. */
    private static Map<String, Object> metadata(ObjectMeta metadata) {
        Map<String, Object> map = new LinkedHashMap<>();
        putIfSet(map, "name", metadata.getName());
        putIfSet(map, "namespace", metadata.getNamespace());
        putIfSet(map, "uid", metadata.getUid());
        putIfSet(map, "labels", metadata.getLabels());
        putIfSet(map, "annotations", metadata.getAnnotations());
        putIfSet(
                map,
                "ownerReferences",
                metadata.getOwnerReferences().stream().map(ObjectMaps::owner).toList());
        putIfSet(map, "finalizers", metadata.getFinalizers());
        return map;
    }

    private static Map<String, Object> owner(OwnerReference reference) {
        Map<String, Object> map = new LinkedHashMap<>();
        putIfSet(map, "apiVersion", reference.getApiVersion());
        putIfSet(map, "kind", reference.getKind());
        putIfSet(map, "name", reference.getName());
        putIfSet(map, "uid", reference.getUid());
        putIfSet(map, "controller", reference.getController());
        putIfSet(map, "blockOwnerDeletion", reference.getBlockOwnerDeletion());
        return map;
    }

    /** As JSON has it: what is absent and what is empty are the same. */
    private static void putIfSet(Map<String, Object> map, String key, @Nullable Object value) {
        if (value != null && !value.equals(List.of()) && !value.equals(Map.of())) {
            map.put(key, value);
        }
    }
}
