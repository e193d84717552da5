package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/**
 * Whether a control plane Node is Ready.
 *
 * @param problem message of its condition Ready; empty while it is Ready
 */
public record NodeHealth(String name, boolean ready, String problem) {

    private static final int LONGEST_TEXT = 300;

    static NodeHealth of(GenericKubernetesResource node) {
        boolean ready = ConditionView.isTrue(node, "Ready");
        String message =
                ConditionView.of(node, "Ready").map(ConditionView::message).orElse("");
        return new NodeHealth(
                UntrustedContent.quoted(node.getMetadata().getName()),
                ready,
                ready ? "" : UntrustedContent.quoted(message, LONGEST_TEXT));
    }
}
