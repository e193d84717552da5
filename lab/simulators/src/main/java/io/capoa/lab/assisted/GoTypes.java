package io.capoa.lab.assisted;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The round trip of an AgentClusterInstall's spec through the service's Go types: fields that are {@code omitempty}
 * lose their zero values.
 */
final class GoTypes {

    /** Fields that are pointers, or that are not {@code omitempty}. */
    private static final Set<String> KEPT = Set.of(
            "userManagedNetworking",
            "enableOn",
            "mode",
            "controlPlaneAgents",
            "cidr",
            "name",
            "namespace",
            "clusterID",
            "infraID");

    private GoTypes() {}

    /** The spec after the round trip. */
    static Map<String, Object> rewritten(Map<String, Object> spec) {
        Map<String, Object> written = new LinkedHashMap<>();
        spec.forEach((field, value) -> {
            Object rewritten = value(value);
            if (rewritten != null && (KEPT.contains(field) || !isZero(rewritten))) {
                written.put(field, rewritten);
            }
        });
        return written;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object value(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return rewritten((Map<String, Object>) map);
        }
        return value instanceof List<?> list ? list.stream().map(GoTypes::value).toList() : value;
    }

    /** Structures are always kept: most are pointers, and the others are required. */
    private static boolean isZero(Object value) {
        return value.equals("")
                || value.equals(false)
                || (value instanceof Number number && number.doubleValue() == 0)
                || (value instanceof List<?> list && list.isEmpty());
    }
}
