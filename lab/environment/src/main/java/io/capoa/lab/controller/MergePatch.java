package io.capoa.lab.controller;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The smallest JSON merge patch (RFC 7386) that turns one tree of maps into another; lists are replaced as a whole.
 */
public final class MergePatch {

    private MergePatch() {}

    /** Empty when the trees are equal; a {@code null} value removes a field. */
    public static Map<String, Object> between(Map<String, ?> before, Map<String, ?> after) {
        Map<String, Object> patch = new LinkedHashMap<>();
        for (String key : before.keySet()) {
            if (!after.containsKey(key)) {
                patch.put(key, null);
            }
        }
        after.forEach((key, wanted) -> {
            Object had = before.get(key);
            if (had instanceof Map<?, ?> from && wanted instanceof Map<?, ?> to) {
                Map<String, Object> inner = between(strings(from), strings(to));
                if (!inner.isEmpty()) {
                    patch.put(key, inner);
                }
            } else if (!Objects.equals(had, wanted)) {
                patch.put(key, wanted);
            }
        });
        return patch;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> strings(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
