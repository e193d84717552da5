package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.jspecify.annotations.Nullable;

/**
 * Health of a ClusterOperator.
 *
 * @param available whether it is there and its condition Available is True
 * @param degraded whether its condition Degraded is True
 * @param problem message of the condition that is not as it should be; empty for a healthy one
 */
public record OperatorHealth(String name, boolean available, boolean degraded, String problem) {

    private static final int LONGEST_TEXT = 300;

    /** From a ClusterOperator; {@code null} if it does not exist. */
    static OperatorHealth of(String name, @Nullable GenericKubernetesResource operator) {
        if (operator == null) {
            return new OperatorHealth(name, false, false, "it does not exist");
        }
        boolean available = ConditionView.isTrue(operator, "Available");
        boolean degraded = ConditionView.isTrue(operator, "Degraded");
        String problem = available && !degraded
                ? ""
                : ConditionView.of(operator, available ? "Degraded" : "Available")
                        .map(ConditionView::message)
                        .orElse("");
        return new OperatorHealth(name, available, degraded, UntrustedContent.quoted(problem, LONGEST_TEXT));
    }

    public boolean healthy() {
        return available && !degraded;
    }

    /** What is wrong with an unhealthy one. */
    public String words() {
        return "ClusterOperator %s is %s%s"
                .formatted(
                        name, available ? "degraded" : "not available", problem.isEmpty() ? "" : " (" + problem + ")");
    }
}
