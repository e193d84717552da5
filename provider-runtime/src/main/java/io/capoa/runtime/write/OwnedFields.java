package io.capoa.runtime.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields that one field manager set on an object by server-side apply, as {@code metadata.managedFields} lists them
 * (Kubernetes structured merge: {@code f:} a field, {@code k:} a list element by key, {@code v:} a list element by value,
 * {@code .} the object itself).
 */
final class OwnedFields {

    private static final ObjectMapper JSON = UntrustedContent.json();

    private final List<Map<String, Object>> fields;

    private OwnedFields(List<Map<String, Object>> fields) {
        this.fields = fields;
    }

    /** What the manager owns outside of subresources; nothing when the cache does not keep managedFields. */
    static OwnedFields of(HasMetadata resource, String manager) {
        List<ManagedFieldsEntry> entries = resource.getMetadata().getManagedFields();
        return new OwnedFields((entries == null ? List.<ManagedFieldsEntry>of() : entries)
                .stream()
                        .filter(entry -> CachePruning.listsApplied(entry, manager))
                        .map(ManagedFieldsEntry::getFieldsV1)
                        .filter(java.util.Objects::nonNull)
                        .map(FieldsV1::getAdditionalProperties)
                        .toList());
    }

    /** The names of the fields that are owned below a path of field names. */
    Set<String> names(String... path) {
        Set<String> names = new TreeSet<>();
        for (Map<String, Object> owned : fields) {
            @Nullable Object at = owned;
            for (String field : path) {
                at = at instanceof Map<?, ?> map ? map.get("f:" + field) : null;
            }
            if (at instanceof Map<?, ?> map) {
                map.keySet().stream()
                        .map(String::valueOf)
                        .filter(key -> key.startsWith("f:"))
                        .forEach(key -> names.add(key.substring(2)));
            }
        }
        return names;
    }

    /** Whether something is owned that the desired object no longer has: an apply would remove it. */
    boolean exceed(Map<String, Object> desired) {
        return fields.stream().anyMatch(owned -> exceeds(owned, desired));
    }

    private static boolean exceeds(Map<?, ?> owned, @Nullable Object desired) {
        for (Map.Entry<?, ?> entry : owned.entrySet()) {
            String key = String.valueOf(entry.getKey());
            Object child = child(key, desired);
            if (child == null) {
                return true;
            }
            if (entry.getValue() instanceof Map<?, ?> inner && !key.equals(".") && exceeds(inner, child)) {
                return true;
            }
        }
        return false;
    }

    /** What a path element of the managed fields points to, {@code null} when it is not there. */
    private static @Nullable Object child(String element, @Nullable Object parent) {
        if (element.equals(".")) {
            return parent;
        }
        String name = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> parent instanceof Map<?, ?> map ? map.get(name) : null;
            case 'k' -> parent instanceof List<?> list ? withKeys(list, name) : null;
            case 'v' -> parent instanceof List<?> list ? withValue(list, name) : null;
            default -> null;
        };
    }

    private static @Nullable Object withKeys(List<?> list, String keys) {
        if (!(parse(keys) instanceof Map<?, ?> wanted)) {
            return null;
        }
        return list.stream()
                .filter(item -> item instanceof Map<?, ?> map && map.entrySet().containsAll(wanted.entrySet()))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Object withValue(List<?> list, String value) {
        return list.contains(parse(value)) ? Boolean.TRUE : null;
    }

    private static Object parse(String json) {
        try {
            return JSON.readValue(json, Object.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a managedFields path element: " + json, e);
        }
    }
}
