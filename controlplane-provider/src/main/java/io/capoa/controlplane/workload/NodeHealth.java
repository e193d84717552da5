package io.capoa.controlplane.workload;

import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.util.List;

/**
 * Whether a control plane Node is Ready.
 *
 * @param problem message of its condition Ready; empty while it is Ready
 */
public record NodeHealth(String name, boolean ready, String problem) {

    private static final int LONGEST_TEXT = 300;

    static NodeHealth of(Node node) {
        List<NodeCondition> conditions =
                node.getStatus() == null || node.getStatus().getConditions() == null
                        ? List.of()
                        : node.getStatus().getConditions();
        NodeCondition condition = conditions.stream()
                .filter(known -> "Ready".equals(known.getType()))
                .findFirst()
                .orElse(null);
        boolean ready = condition != null && "True".equals(condition.getStatus());
        String message = condition == null ? "" : condition.getMessage();
        return new NodeHealth(
                UntrustedContent.quoted(node.getMetadata().getName()),
                ready,
                ready || message == null ? "" : UntrustedContent.quoted(message, LONGEST_TEXT));
    }
}
