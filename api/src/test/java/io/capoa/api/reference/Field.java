package io.capoa.api.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A field of an object in an OpenAPI schema.
 *
 * @param name as in YAML
 * @param schema of its value
 * @param required whether its object must have it
 */
record Field(String name, JsonNode schema, boolean required) {

    /** The fields of an object, in the order of its schema. */
    static List<Field> of(JsonNode object) {
        List<String> required = strings(object.path("required"));
        return object.path("properties").properties().stream()
                .map((Map.Entry<String, JsonNode> property) ->
                        new Field(property.getKey(), property.getValue(), required.contains(property.getKey())))
                .toList();
    }

    /** The type as in Go: {@code string}, {@code []string}, {@code map[string]string}, {@code object}. */
    String type() {
        return type(schema);
    }

    /** What the value consists of: the entries of a list, the values of a map, else the value itself. */
    JsonNode element() {
        JsonNode element = schema;
        while (isContainer(element)) {
            element = element.has("items") ? element.get("items") : element.get("additionalProperties");
        }
        return element;
    }

    /** Whether {@link #element()} is an object with fields of its own. */
    boolean holdsObjects() {
        return element().has("properties");
    }

    /** The name as part of a path: {@code taints[]} for a list. */
    String step() {
        var step = new StringBuilder(name);
        for (JsonNode at = schema; isContainer(at); ) {
            step.append(at.has("items") ? "[]" : "{}");
            at = at.has("items") ? at.get("items") : at.get("additionalProperties");
        }
        return step.toString();
    }

    /** The CEL rules of the value and, unless they are objects with rules of their own, of its entries. */
    List<JsonNode> rules() {
        JsonNode element = element();
        Stream<JsonNode> own = element == schema ? Stream.of() : elements(schema.path("x-kubernetes-validations"));
        Stream<JsonNode> ofElement = holdsObjects() ? Stream.of() : elements(element.path("x-kubernetes-validations"));
        return Stream.concat(own, ofElement).toList();
    }

    static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    static List<String> strings(JsonNode array) {
        return elements(array).map(JsonNode::asText).toList();
    }

    private static boolean isContainer(JsonNode schema) {
        return schema.has("items") || schema.path("additionalProperties").isObject();
    }

    private static String type(JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return "integer or string";
        }
        if (schema.has("items")) {
            return "[]" + type(schema.get("items"));
        }
        if (schema.path("additionalProperties").isObject()) {
            return "map[string]" + type(schema.get("additionalProperties"));
        }
        String format = schema.path("format").asText();
        return format.equals("date-time") ? "date-time" : schema.path("type").asText("any");
    }
}
