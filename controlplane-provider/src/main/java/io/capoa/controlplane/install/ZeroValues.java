package io.capoa.controlplane.install;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Zero values of an AgentClusterInstall's spec. assisted-service writes the object from Go types whose fields are
 * mostly {@code omitempty}, so {@code workerAgents: 0} and {@code holdInstallation: false} are dropped and mean the
 * same as absent.
 */
final class ZeroValues {

    /** Fields that are pointers in Go ({@code userManagedNetworking}) or without {@code omitempty}. */
    private static final Set<String> WRITTEN = Set.of("userManagedNetworking", "controlPlaneAgents");

    private ZeroValues() {}

    /**
     * Drops zero values, except those that replace another value of the existing object.
     *
     * @param present the same fields of the existing object
     */
    static Map<String, Object> leftOut(Map<String, Object> fields, Map<?, ?> present) {
        Map<String, Object> sparse = new TreeMap<>();
        fields.forEach((name, value) -> {
            Object has = present.get(name);
            if (value instanceof Map<?, ?> map) {
                sparse.put(name, leftOut(cast(map), has instanceof Map<?, ?> inner ? inner : Map.of()));
            } else if (has != null || !isLeftOut(name, value)) {
                sparse.put(name, value);
            }
        });
        return sparse;
    }

    /** Drops zero values at any depth, for comparisons in which absent means zero. */
    static @Nullable Object without(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> sparse = new LinkedHashMap<>();
            cast(map).forEach((key, inner) -> {
                Object kept = without(key, inner);
                if (kept != null) {
                    sparse.put(key, kept);
                }
            });
            return sparse.isEmpty() ? null : sparse;
        }
        return value == null || isLeftOut(name, value) ? null : value;
    }

    private static boolean isLeftOut(String name, Object value) {
        boolean zero = value.equals("")
                || value.equals(false)
                || value.equals(List.of())
                || (value instanceof Number number && number.doubleValue() == 0);
        return zero && !WRITTEN.contains(name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
