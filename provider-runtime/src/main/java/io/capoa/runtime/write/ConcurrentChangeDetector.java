package io.capoa.runtime.write;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Detects a concurrent change by comparing the write's response with the cached object: JOSDK takes every event that
 * arrives during a write for its own, and so would lose the other writer's.
 */
final class ConcurrentChangeDetector {

    private ConcurrentChangeDetector() {}

    /**
     * Whether anything differs that was not written.
     *
     * @param before the object as it was known, as a JSON tree; metadata as of {@link #metadata}
     * @param after the answer to the write, likewise
     * @param written what was sent; of a list of conditions only the types that are in it
     */
    static boolean haveChanged(Map<String, ?> before, Map<String, ?> after, Map<?, ?> written) {
        return !rest(before, written).equals(rest(after, written));
    }

    /** What people and controllers set of it, without what every write changes. */
    static Map<String, Object> metadata(ObjectMeta metadata) {
        Map<String, Object> set = new LinkedHashMap<>();
        set.put("labels", Objects.requireNonNullElse(metadata.getLabels(), Map.of()));
        set.put("annotations", Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
        set.put("deletionTimestamp", Objects.requireNonNullElse(metadata.getDeletionTimestamp(), ""));
        return set;
    }

    private static Map<Object, Object> rest(Map<?, ?> tree, Map<?, ?> written) {
        Map<Object, Object> rest = new LinkedHashMap<>();
        tree.forEach((key, value) -> {
            Object left = written.containsKey(key) ? rest(value, written.get(key)) : value;
            if (left != null && !left.equals(Map.of()) && !left.equals(List.of())) {
                rest.put(key, left);
            }
        });
        return rest;
    }

    private static @Nullable Object rest(@Nullable Object value, @Nullable Object written) {
        if (value instanceof Map<?, ?> tree && written instanceof Map<?, ?> part) {
            return rest(tree, part);
        }
        if (value instanceof List<?> all && written instanceof List<?> some) {
            Set<Object> types =
                    some.stream().map(ConcurrentChangeDetector::type).collect(Collectors.toSet());
            return all.stream()
                    .filter(element -> !types.contains(type(element)))
                    .toList();
        }
        return null;
    }

    /** Elements without a type are all of one: such a list has one writer. */
    private static Object type(@Nullable Object element) {
        Object type = element instanceof Map<?, ?> map ? map.get("type") : null;
        return type == null ? "" : type;
    }
}
