package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prunes values to a schema and sets the schema's defaults, as the API server does with the result of a conversion. What
 * has another type than the schema says is left as it is. The schema is read once; values are never changed.
 *
 * @param properties of an object with fixed fields
 * @param others of the values of an object with any fields
 * @param items of a list
 * @param preset the default
 */
@SuppressWarnings("ReferenceEquality") // whether it is the same value, and needs no copy
record SchemaFit(
        @Nullable Map<String, SchemaFit> properties,
        @Nullable SchemaFit others,
        @Nullable SchemaFit items,
        @Nullable JsonNode preset) {

    /** Of a structural schema. */
    static SchemaFit of(JsonNode schema) {
        JsonNode others = schema.path("additionalProperties");
        Map<String, SchemaFit> properties = null;
        if (!others.isObject() && schema.path("type").asText().equals("object")) {
            properties = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> property :
                    schema.path("properties").properties()) {
                properties.put(property.getKey(), of(property.getValue()));
            }
        }
        JsonNode items = schema.path("items");
        return new SchemaFit(
                properties,
                others.isObject() ? of(others) : null,
                items.isObject() ? of(items) : null,
                schema.get("default"));
    }

    /** The value as it fits: itself if it does, else a copy, which shares what fits. */
    JsonNode fitted(JsonNode value) {
        if (value instanceof ObjectNode object) {
            return others != null ? entries(object, others) : properties != null ? fields(object, properties) : value;
        }
        return items != null && value instanceof ArrayNode array ? elements(array, items) : value;
    }

    private static ObjectNode fields(ObjectNode object, Map<String, SchemaFit> properties) {
        ObjectNode copy = null;
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            SchemaFit fit = properties.get(field.getKey());
            JsonNode fitted = fit == null ? null : fit.fitted(field.getValue());
            if (fitted != field.getValue()) {
                copy = copy == null ? object.objectNode().setAll(object) : copy;
                if (fitted == null) {
                    var unused = copy.remove(field.getKey());
                } else {
                    copy.set(field.getKey(), fitted);
                }
            }
        }
        for (Map.Entry<String, SchemaFit> property : properties.entrySet()) {
            JsonNode preset = property.getValue().preset;
            if (preset != null && !object.hasNonNull(property.getKey())) {
                copy = copy == null ? object.objectNode().setAll(object) : copy;
                copy.set(property.getKey(), property.getValue().fitted(preset.deepCopy()));
            }
        }
        return copy == null ? object : copy;
    }

    private static ObjectNode entries(ObjectNode object, SchemaFit fit) {
        ObjectNode copy = null;
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            JsonNode fitted = fit.fitted(entry.getValue());
            if (fitted != entry.getValue()) {
                copy = copy == null ? object.objectNode().setAll(object) : copy;
                copy.set(entry.getKey(), fitted);
            }
        }
        return copy == null ? object : copy;
    }

    private static ArrayNode elements(ArrayNode array, SchemaFit fit) {
        ArrayNode copy = null;
        for (int i = 0; i < array.size(); i++) {
            JsonNode fitted = fit.fitted(array.get(i));
            if (fitted != array.get(i)) {
                copy = copy == null ? array.arrayNode().addAll(array) : copy;
                copy.set(i, fitted);
            }
        }
        return copy == null ? array : copy;
    }
}
