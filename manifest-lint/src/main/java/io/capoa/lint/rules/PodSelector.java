package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evaluates which pods an affinity term selects (Kubernetes, {@code PodAffinityTerm}). */
final class PodSelector {

    private PodSelector() {}

    /** Whether the term selects the pods of the workload that has it. */
    static boolean selectsOwnPods(Workload workload, @Nullable Object term) {
        Object selector = Fields.any(term, "labelSelector");
        return selector != null && selectsNamespace(workload, term) && matches(selector, workload.podLabels());
    }

    private static boolean selectsNamespace(Workload workload, @Nullable Object term) {
        List<?> namespaces = Fields.list(term, "namespaces");
        return namespaces.isEmpty()
                || namespaces.contains(workload.namespace())
                || Fields.any(term, "namespaceSelector") != null;
    }

    private static boolean matches(Object selector, Map<?, ?> labels) {
        return hasLabels(labels, Fields.any(selector, "matchLabels"))
                && Fields.list(selector, "matchExpressions").stream()
                        .allMatch(expression -> matchesExpression(expression, labels));
    }

    /** Whether the labels have all that a selector wants. */
    static boolean hasLabels(Map<?, ?> labels, @Nullable Object wanted) {
        return Fields.map(wanted).keySet().stream()
                .map(String::valueOf)
                .allMatch(key ->
                        labels.containsKey(key) && Fields.text(labels, key).equals(Fields.text(wanted, key)));
    }

    private static boolean matchesExpression(@Nullable Object expression, Map<?, ?> labels) {
        String key = Fields.text(expression, "key");
        boolean in = Fields.list(expression, "values").stream()
                .anyMatch(value -> Fields.text(value).equals(Fields.text(labels, key)));
        return switch (Fields.text(expression, "operator")) {
            case "In" -> labels.containsKey(key) && in;
            case "NotIn" -> !labels.containsKey(key) || !in;
            case "Exists" -> labels.containsKey(key);
            case "DoesNotExist" -> !labels.containsKey(key);
            default -> false;
        };
    }
}
