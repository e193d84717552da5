package io.capoa.lab.core;

import io.capoa.api.contract.ConditionView;
import io.capoa.lab.controller.WorkingCopy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/** Copies a condition of a referenced object to another type, as Cluster API does. */
final class ConditionMirror {

    private ConditionMirror() {}

    /**
     * Mirrors {@code from} to {@code to}; without such a condition, derives it from the initialization field.
     *
     * @param initialized value of the initialization field
     * @param field the path of that field, for the message
     */
    static void mirror(
            WorkingCopy<?> working,
            String to,
            GenericKubernetesResource external,
            String from,
            boolean initialized,
            String field) {
        var condition = ConditionView.of(external, from).orElse(null);
        if (condition != null) {
            working.condition(to, condition.status(), condition.reason(), condition.message());
        } else if (initialized) {
            working.condition(to, "True", from, "");
        } else {
            working.condition(to, "False", "Not" + from, external.getKind() + " " + field + " is false");
        }
    }
}
