package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Conditions of Cluster API's v1beta1 contract in the older version, those of Kubernetes in v1beta1. */
final class OldStyleConditions implements ValueConversion {

    private static final String TYPE = "type";
    private static final String REASON = "reason";
    private static final String MESSAGE = "message";
    private static final String SEVERITY = "severity";

    /** The reason of a condition that has none; the field is required in v1beta1. */
    private static final String NO_REASON = "Unknown";

    /** Drops the severity, and of two conditions of one type the second: v1beta1 refuses both. */
    @Override
    public @Nullable JsonNode toHub(JsonNode older) {
        if (!(older instanceof ArrayNode conditions)) {
            return null;
        }
        ArrayNode converted = conditions.arrayNode();
        Set<String> types = new HashSet<>();
        for (JsonNode condition : conditions) {
            if (condition instanceof ObjectNode object
                    && types.add(object.path(TYPE).asText())) {
                ObjectNode copy = object.deepCopy();
                var unused = copy.remove(SEVERITY);
                if (copy.path(REASON).asText().isEmpty()) {
                    copy.put(REASON, NO_REASON);
                }
                if (!copy.path(MESSAGE).isTextual()) {
                    copy.put(MESSAGE, "");
                }
                converted.add(copy);
            }
        }
        return converted;
    }

    /** The severity is {@code Info} for False, where Cluster API requires one; empty texts are left out. */
    @Override
    public @Nullable JsonNode toOlder(JsonNode hub) {
        if (!(hub instanceof ArrayNode conditions)) {
            return null;
        }
        ArrayNode converted = conditions.arrayNode();
        for (JsonNode condition : conditions) {
            if (condition instanceof ObjectNode object) {
                ObjectNode copy = object.deepCopy();
                for (String field : new String[] {REASON, MESSAGE}) {
                    if (copy.path(field).asText().isEmpty()) {
                        var unused = copy.remove(field);
                    }
                }
                if (copy.path("status").asText().equals("False")) {
                    copy.put(SEVERITY, "Info");
                }
                converted.add(copy);
            }
        }
        return converted;
    }
}
