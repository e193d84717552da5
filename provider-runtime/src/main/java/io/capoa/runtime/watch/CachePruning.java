package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** Of the status only these fields. */
    public static <R extends GenericKubernetesResource> R status(R resource, Set<String> names) {
        if (resource.getAdditionalProperties().get("status") instanceof Map<?, ?> status) {
            status.keySet().retainAll(names);
        }
        return resource;
    }

    /** Of the conditions only those of these types. */
    public static <R extends GenericKubernetesResource> R conditions(R resource, Set<String> types) {
        if (resource.getAdditionalProperties().get("status") instanceof Map<?, ?> status
                && status.get("conditions") instanceof List<?> conditions) {
            conditions.removeIf(condition -> !(condition instanceof Map<?, ?> map && types.contains(map.get("type"))));
        }
        return resource;
    }
}
