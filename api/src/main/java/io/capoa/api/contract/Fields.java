package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads fields of foreign objects by path; a field that is absent or of another type is {@code null} or empty. */
public final class Fields {

    private Fields() {}

    public static @Nullable Object any(GenericKubernetesResource resource, String... path) {
        return any((Object) resource.getAdditionalProperties(), path);
    }

    /** The value below {@code root} at a path of map keys, or {@code null}. */
    public static @Nullable Object any(@Nullable Object root, String... path) {
        @Nullable Object at = root;
        for (String key : path) {
            if (!(at instanceof Map<?, ?> map)) {
                return null;
            }
            at = map.get(key);
        }
        return at;
    }

    /** The scalar below {@code root} as text; empty if it is absent, a map or a list. */
    public static String text(@Nullable Object root, String... path) {
        Object value = any(root, path);
        return value instanceof String || value instanceof Number || value instanceof Boolean ? value.toString() : "";
    }

    /** A string that is not empty, or {@code null}. */
    public static @Nullable String string(GenericKubernetesResource resource, String... path) {
        return any(resource, path) instanceof String s && !s.isEmpty() ? s : null;
    }

    public static @Nullable Integer integer(GenericKubernetesResource resource, String... path) {
        return any(resource, path) instanceof Number n ? n.intValue() : null;
    }

    public static boolean isTrue(GenericKubernetesResource resource, String... path) {
        return isTrue((Object) resource.getAdditionalProperties(), path);
    }

    public static boolean isTrue(@Nullable Object root, String... path) {
        return Boolean.TRUE.equals(any(root, path));
    }

    public static List<?> list(GenericKubernetesResource resource, String... path) {
        return list((Object) resource.getAdditionalProperties(), path);
    }

    public static List<?> list(@Nullable Object root, String... path) {
        return any(root, path) instanceof List<?> list ? list : List.of();
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(GenericKubernetesResource resource, String... path) {
        return (Map<String, Object>) map((Object) resource.getAdditionalProperties(), path);
    }

    public static Map<?, ?> map(@Nullable Object root, String... path) {
        return any(root, path) instanceof Map<?, ?> map ? map : Map.of();
    }
}
