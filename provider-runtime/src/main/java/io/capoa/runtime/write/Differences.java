package io.capoa.runtime.write;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares JSON trees (maps, lists, strings, numbers, booleans) as the API server would merge them. */
final class Differences {

    /** Lists of every object's metadata whose elements belong to different writers. */
    private static final Set<String> SHARED_LISTS = Set.of("ownerReferences", "finalizers");

    private Differences() {}

    /**
     * The part of a merge patch that would change something: fields that differ from {@code actual}, {@code null} where
     * a present field is to go; a list is one value. Empty when the patch would change nothing. Objects inside lists may
     * have fields in {@code actual} that the patch does not name: the server's defaults.
     */
    static Map<String, Object> merging(Map<String, ?> fragment, Map<String, ?> actual) {
        return between(fragment, actual, false);
    }

    /** What a server-side apply would set; as {@link #merging}, but others may have added to the shared lists. */
    static Map<String, Object> applying(Map<String, ?> desired, Map<String, ?> actual) {
        return between(desired, actual, true);
    }

    /**
     * The patch with a precondition: the server refuses it when the object has another value of this field of its metadata,
     * a resourceVersion (409) or a uid (422).
     */
    static Map<String, Object> onlyIf(Map<String, Object> patch, String field, String value) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (patch.get("metadata") instanceof Map<?, ?> map) {
            metadata.putAll(cast(map));
        }
        metadata.put(field, value);
        Map<String, Object> guarded = new LinkedHashMap<>(patch);
        guarded.put("metadata", metadata);
        return guarded;
    }

    private static Map<String, Object> between(Map<String, ?> fragment, Map<String, ?> actual, boolean shared) {
        Map<String, Object> difference = new LinkedHashMap<>();
        fragment.forEach((key, wanted) -> {
            Object present = actual.get(key);
            if (wanted instanceof Map<?, ?> wantedMap && present instanceof Map<?, ?> presentMap) {
                Map<String, Object> inner = between(cast(wantedMap), cast(presentMap), shared);
                if (!inner.isEmpty()) {
                    difference.put(key, inner);
                }
            } else if (shared
                    && SHARED_LISTS.contains(key)
                    && wanted instanceof List<?> wantedList
                    && present instanceof List<?> presentList) {
                if (!wantedList.stream().allMatch(w -> presentList.stream().anyMatch(p -> covers(p, w)))) {
                    difference.put(key, wanted);
                }
            } else if (!covers(present, wanted)) {
                difference.put(key, wanted);
            }
        });
        return difference;
    }

    /** Whether {@code present} already contains {@code wanted}. */
    private static boolean covers(@Nullable Object present, @Nullable Object wanted) {
        if (wanted instanceof Map<?, ?> map) {
            return present instanceof Map<?, ?> presentMap
                    && map.entrySet().stream().allMatch(e -> covers(presentMap.get(e.getKey()), e.getValue()));
        }
        if (wanted instanceof List<?> wantedList) {
            if (!(present instanceof List<?> presentList) || presentList.size() != wantedList.size()) {
                return false;
            }
            for (int i = 0; i < wantedList.size(); i++) {
                if (!covers(presentList.get(i), wantedList.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (wanted instanceof Number a && present instanceof Number b) {
            return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
        }
        return Objects.equals(wanted, present);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
