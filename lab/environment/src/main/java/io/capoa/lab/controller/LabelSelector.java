package io.capoa.lab.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A label selector of an object's spec, with {@code matchLabels} and {@code matchExpressions}. Operators are those of
 * Kubernetes' API, and those of its selector strings, which Metal3 uses.
 */
public record LabelSelector(Map<?, ?> matchLabels, List<?> matchExpressions) {

    /** The selector in a field; without it, or if it is empty, every object matches. */
    public static LabelSelector of(Map<String, Object> field) {
        return new LabelSelector(
                field.get("matchLabels") instanceof Map<?, ?> labels ? labels : Map.of(),
                field.get("matchExpressions") instanceof List<?> list ? list : List.of());
    }

    public boolean isEmpty() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }

    public boolean matches(HasMetadata object) {
        Map<String, String> labels =
                Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
        return matchLabels.entrySet().stream().allMatch(e -> e.getValue().equals(labels.get(e.getKey())))
                && matchExpressions.stream()
                        .allMatch(e -> e instanceof Map<?, ?> expression
                                && matches(expression, labels.get(String.valueOf(expression.get("key")))));
    }

    private static boolean matches(Map<?, ?> expression, @Nullable String value) {
        List<?> values = expression.get("values") instanceof List<?> list ? list : List.of();
        return switch (String.valueOf(expression.get("operator"))) {
            case "in", "In", "=", "==" -> value != null && values.contains(value);
            case "notin", "NotIn", "!=" -> value == null || !values.contains(value);
            case "exists", "Exists" -> value != null;
            case "!", "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
