package io.capoa.api.rules;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Evaluates label selectors as Kubernetes does. */
public final class LabelSelection {

    private LabelSelection() {}

    /** Whether an object with these labels is selected; an empty selector selects every object, an unknown operator none. */
    public static boolean selects(LabelSelector selector, @Nullable Map<String, String> labels) {
        Map<String, String> present = labels == null ? Map.of() : labels;
        Map<String, String> wanted = selector.getMatchLabels() == null ? Map.of() : selector.getMatchLabels();
        return present.entrySet().containsAll(wanted.entrySet())
                && selector.getMatchExpressions().stream().allMatch(requirement -> meets(requirement, present));
    }

    private static boolean meets(LabelSelectorRequirement requirement, Map<String, String> labels) {
        String value = labels.get(requirement.getKey());
        List<String> values = requirement.getValues() == null ? List.of() : requirement.getValues();
        return switch (Objects.requireNonNullElse(requirement.getOperator(), "")) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
