package io.capoa.api.contract;

import io.capoa.api.conditions.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.Optional;

/** An entry of {@code status.conditions} of a foreign object. */
public record ConditionView(String type, String status, String reason, String message) {

    /** The condition of that type, if the object has one. */
    public static Optional<ConditionView> of(GenericKubernetesResource resource, String type) {
        for (Object entry : Fields.list(resource, "status", "conditions")) {
            if (entry instanceof Map<?, ?> map && type.equals(map.get("type"))) {
                return Optional.of(
                        new ConditionView(type, text(map, "status"), text(map, "reason"), text(map, "message")));
            }
        }
        return Optional.empty();
    }

    /** Whether the object has the condition with status True. */
    public static boolean isTrue(GenericKubernetesResource resource, String type) {
        return of(resource, type).filter(ConditionView::isTrue).isPresent();
    }

    public boolean isTrue() {
        return Condition.TRUE.equals(status);
    }

    private static String text(Map<?, ?> map, String key) {
        return map.get(key) instanceof String s ? s : "";
    }
}
