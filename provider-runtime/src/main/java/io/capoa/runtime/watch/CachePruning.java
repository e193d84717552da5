package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Cache pruning: each function modifies its argument and returns it. */
public final class CachePruning {

    private CachePruning() {}

    /** The whole object, and of its managed fields those that this manager applied. */
    static <R extends HasMetadata> R withOwnFields(R resource, String manager) {
        List<ManagedFieldsEntry> fields = resource.getMetadata().getManagedFields();
        if (fields != null && !fields.isEmpty()) {
            resource.getMetadata()
                    .setManagedFields(fields.stream()
                            .filter(entry -> listsApplied(entry, manager))
                            .toList());
        }
        return resource;
    }

    /** Whether an entry of {@code metadata.managedFields} lists what the manager applied outside of subresources. */
    public static boolean listsApplied(ManagedFieldsEntry entry, String manager) {
        return manager.equals(entry.getManager())
                && "Apply".equals(entry.getOperation())
                && (entry.getSubresource() == null || entry.getSubresource().isEmpty());
    }

    /** Of the fields beside the metadata only these. */
    public static <R extends GenericKubernetesResource> R fields(R resource, Set<String> names) {
        resource.getAdditionalProperties().keySet().retainAll(names);
        return resource;
    }

    /** Of the spec only these fields. */
    public static <R extends GenericKubernetesResource> R spec(R resource, Set<String> names) {
        return within(resource, "spec", names);
    }

    /** Of the status only these fields; no status that has none of them, so that its first write changes nothing. */
    public static <R extends GenericKubernetesResource> R status(R resource, Set<String> names) {
        return within(resource, "status", names);
    }

    private static <R extends GenericKubernetesResource> R within(R resource, String field, Set<String> names) {
        retain(resource.getAdditionalProperties(), field, names);
        return resource;
    }

    /** Of an object's field only these fields, and nothing of one that has none of them. */
    public static void retain(@Nullable Object object, String field, Set<String> names) {
        if (object instanceof Map<?, ?> fields && fields.get(field) instanceof Map<?, ?> kept) {
            kept.keySet().retainAll(names);
            if (kept.isEmpty()) {
                fields.remove(field);
            }
        }
    }

    /** Of a map only these keys; {@code null} if none is left. */
    public static @Nullable Map<String, String> only(@Nullable Map<String, String> map, Set<String> keys) {
        if (map != null) {
            map.keySet().retainAll(keys);
        }
        return map == null || map.isEmpty() ? null : map;
    }

    /** Of the conditions only those of these types. */
    public static <R extends GenericKubernetesResource> R conditions(R resource, Set<String> types) {
        return conditions(resource, condition -> types.contains(condition.get("type")));
    }

    /** Of the conditions only those that are read. */
    public static <R extends GenericKubernetesResource> R conditions(R resource, Predicate<Map<?, ?>> read) {
        if (resource.getAdditionalProperties().get("status") instanceof Map<?, ?> status
                && status.get("conditions") instanceof List<?> conditions) {
            conditions.removeIf(condition -> !(condition instanceof Map<?, ?> map && read.test(map)));
            if (conditions.isEmpty()) {
                status.remove("conditions");
            }
        }
        return resource;
    }
}
