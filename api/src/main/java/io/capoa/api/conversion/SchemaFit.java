package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Prunes an object to a schema and sets the schema's defaults, as the API server does with the result of a conversion.
 * What has another type than the schema says is left as it is.
 */
final class SchemaFit {

    private SchemaFit() {}

    static void apply(JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode object) {
            if (schema.path("additionalProperties").isObject()) {
                object.forEach(entry -> apply(entry, schema.path("additionalProperties")));
            } else if (schema.path("type").asText().equals("object")) {
                applyToFields(object, schema.path("properties"));
            }
        } else if (value.isArray()) {
            value.forEach(entry -> apply(entry, schema.path("items")));
        }
    }

    private static void applyToFields(ObjectNode object, JsonNode properties) {
        object.properties().removeIf(field -> !properties.has(field.getKey()));
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            JsonNode present = object.path(property.getKey());
            JsonNode preset = property.getValue().path("default");
            if ((present.isMissingNode() || present.isNull()) && !preset.isMissingNode()) {
                object.set(property.getKey(), preset.deepCopy());
            }
            apply(object.path(property.getKey()), property.getValue());
        }
    }
}
