package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes conditions; one whose status stays the same keeps its transition time. */
final class StatusConditions {

    private StatusConditions() {}

    /**
     * The conditions as a status contains them.
     *
     * @param object the object as stored
     */
    static List<Map<String, Object>> of(List<Condition> conditions, Map<String, Object> object) {
        List<Map<String, Object>> result = new ArrayList<>();
        for (Condition condition : conditions) {
            Map<String, Object> written = ReleaseStatus.condition(
                    condition.type(), condition.status(), condition.reason(), condition.message());
            Map<?, ?> before = find(object, condition.type());
            if (condition.status().equals(before.get("status"))) {
                written.put("lastTransitionTime", String.valueOf(before.get("lastTransitionTime")));
            }
            result.add(written);
        }
        return result;
    }

    /** A condition of an object; empty if it has none of that type. */
    static Map<?, ?> find(Map<String, Object> object, String type) {
        return Fields.any(object, "status", "conditions") instanceof List<?> list
                ? list.stream()
                        .filter(condition -> type.equals(Fields.any(condition, "type")))
                        .filter(Map.class::isInstance)
                        .map(condition -> (Map<?, ?>) condition)
                        .findFirst()
                        .orElse(Map.of())
                : Map.of();
    }
}
