package io.capoa.runtime.migration;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Drops entries of {@code metadata.managedFields} in versions that are not served: the API server cannot convert them, and
 * refuses server-side apply on their objects.
 */
final class ManagedFieldsCleanup {

    private ManagedFieldsCleanup() {}

    /**
     * What the entries shall be; empty if they are all right.
     *
     * @param served {@code group/version} of each served version
     * @param apiVersion of the entry that takes the place of the last one: without any, the next server-side apply would
     *     give all fields to an entry of its own
     */
    static Optional<List<Object>> of(ObjectMeta metadata, Set<String> served, String apiVersion, String fieldManager) {
        List<ManagedFieldsEntry> entries = metadata.getManagedFields();
        List<Object> kept = new ArrayList<>();
        for (ManagedFieldsEntry entry : entries) {
            if (served.contains(entry.getApiVersion())) {
                kept.add(entry);
            }
        }
        if (kept.size() == entries.size()) {
            return Optional.empty();
        }
        if (kept.isEmpty()) {
            kept.add(seed(metadata, apiVersion, fieldManager));
        }
        return Optional.of(kept);
    }

    private static Map<String, Object> seed(ObjectMeta metadata, String apiVersion, String fieldManager) {
        Map<String, Object> seed = new LinkedHashMap<>();
        seed.put("manager", fieldManager);
        seed.put("operation", "Apply");
        seed.put("apiVersion", apiVersion);
        seed.put("time", metadata.getCreationTimestamp());
        seed.put("fieldsType", "FieldsV1");
        seed.put("fieldsV1", Map.of("f:metadata", Map.of("f:name", Map.of())));
        return seed;
    }
}
