package io.capoa.api.rules.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.capoa.api.rules.Findings;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Compares values with a structural schema as the API server does: types, limits, patterns, enumerations, required
 * fields, and the rules of {@link CelRules}. Unknown fields are left to pruning, {@code metadata} to the API server.
 */
public final class SchemaCheck {

    /** Far above what the findings of an answer are cut to. */
    private static final int MOST = 100;

    private final Findings findings;
    private int found;

    private SchemaCheck(Findings findings) {
        this.findings = findings;
    }

    /**
     * Checks the spec of an object in v1beta1.
     *
     * @param before what it replaces, for the rules of change; no object for a new one
     */
    public static void check(String kind, JsonNode object, JsonNode before, Findings findings) {
        JsonNode schema = HubSchemas.of(kind);
        JsonNode old = before.isObject() ? before : MissingNode.getInstance();
        SchemaCheck check = new SchemaCheck(findings);
        check.required(object, schema, "");
        check.rules(object, old, schema, "");
        if (object.has("spec")) {
            check.value(
                    object.path("spec"),
                    old.path("spec"),
                    schema.path("properties").path("spec"),
                    "spec");
        }
    }

    /** Checks the value of one field of a kind's spec. */
    public static void checkField(String kind, String field, JsonNode value, Findings findings) {
        JsonNode schema = HubSchemas.of(kind).path("properties").path("spec").path("properties");
        new SchemaCheck(findings).value(value, MissingNode.getInstance(), schema.path(field), "spec." + field);
    }

    /** Whether a value alone breaks no rule of a schema. */
    public static boolean fits(JsonNode value, JsonNode schema) {
        Findings findings = new Findings();
        new SchemaCheck(findings).value(value, MissingNode.getInstance(), schema, "");
        return findings.refused().isEmpty();
    }

    private void value(JsonNode value, JsonNode before, JsonNode schema, String path) {
        if (found >= MOST) {
            return;
        }
        if (!isOfType(value, schema)) {
            refuse(
                    path,
                    "has a value of another type: write "
                            + words(schema.path("type").asText()));
            return;
        }
        switch (schema.path("type").asText()) {
            case "object" -> object(value, before, schema, path);
            case "array" -> array(value, before, schema, path);
            case "string" -> text(value.textValue(), schema, path);
            default -> number(value, schema, path);
        }
        JsonNode values = schema.path("enum");
        if (values.isArray()
                && StreamSupport.stream(values.spliterator(), false).noneMatch(value::equals)) {
            refuse(path, "has a value that it does not take: write " + list(values));
        }
        rules(value, before, schema, path);
    }

    private static boolean isOfType(JsonNode value, JsonNode schema) {
        return switch (schema.path("type").asText()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" ->
                schema.path("format").asText().equals("int32") ? value.isInt() : value.canConvertToExactIntegral();
            case "number" -> value.isNumber();
            default -> true;
        };
    }

    private void object(JsonNode value, JsonNode before, JsonNode schema, String path) {
        limits(value.size(), schema, "Properties", "entries", path);
        required(value, schema, path);
        JsonNode properties = schema.path("properties");
        JsonNode others = schema.path("additionalProperties");
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String name = field.getKey();
            if (properties.has(name)) {
                value(
                        field.getValue(),
                        before.path(name),
                        properties.path(name),
                        path.isEmpty() ? name : path + "." + name);
            } else if (others.isObject()) {
                value(field.getValue(), before.path(name), others, path + "[" + name + "]");
            }
        }
    }

    private void required(JsonNode value, JsonNode schema, String path) {
        for (JsonNode name : schema.path("required")) {
            if (!value.has(name.asText())) {
                refuse(path.isEmpty() ? name.asText() : path + "." + name.asText(), "is missing: write it");
            }
        }
    }

    private void array(JsonNode value, JsonNode before, JsonNode schema, String path) {
        limits(value.size(), schema, "Items", "entries", path);
        for (int i = 0; i < value.size(); i++) {
            value(value.path(i), before.path(i), schema.path("items"), path + "[" + i + "]");
        }
        if (schema.path("x-kubernetes-list-type").asText().equals("map")) {
            long different = StreamSupport.stream(value.spliterator(), false)
                    .map(entry -> StreamSupport.stream(
                                    schema.path("x-kubernetes-list-map-keys").spliterator(), false)
                            .map(key -> entry.path(key.asText()))
                            .toList())
                    .distinct()
                    .count();
            if (different < value.size()) {
                refuse(
                        path,
                        "has two entries with the same " + list(schema.path("x-kubernetes-list-map-keys"))
                                + ": write each once");
            }
        }
    }

    private void text(String value, JsonNode schema, String path) {
        limits(value.codePointCount(0, value.length()), schema, "Length", "characters", path);
        String pattern = schema.path("pattern").asText();
        if (!pattern.isEmpty() && !GoPattern.of(pattern).find(value)) {
            refuse(path, "has a form that it does not take: write what matches " + pattern);
        }
        if (schema.path("format").asText().equals("date-time") && !isTime(value)) {
            refuse(path, "is no time: write 2026-11-22T20:00:00Z, for example");
        }
    }

    private void number(JsonNode value, JsonNode schema, String path) {
        if (!value.isNumber()) {
            return;
        }
        BigDecimal number = value.decimalValue();
        if (schema.has("minimum") && number.compareTo(schema.path("minimum").decimalValue()) < 0) {
            refuse(
                    path,
                    "is too small: write at least " + schema.path("minimum").asLong());
        }
        if (schema.has("maximum") && number.compareTo(schema.path("maximum").decimalValue()) > 0) {
            refuse(path, "is too large: write at most " + schema.path("maximum").asLong());
        }
    }

    private void limits(int size, JsonNode schema, String of, String unit, String path) {
        if (size < schema.path("min" + of).asInt(0)) {
            refuse(
                    path,
                    "has %d %s: write at least %d"
                            .formatted(size, unit, schema.path("min" + of).asInt()));
        }
        if (size > schema.path("max" + of).asInt(Integer.MAX_VALUE)) {
            refuse(
                    path,
                    "has %d %s: write at most %d"
                            .formatted(size, unit, schema.path("max" + of).asInt()));
        }
    }

    private void rules(JsonNode value, JsonNode before, JsonNode schema, String path) {
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            if (!CelRules.holds(rule.path("rule").asText(), value, before)) {
                String at = path + rule.path("fieldPath").asText();
                refuse(
                        at.startsWith(".") ? at.substring(1) : at,
                        sentence(rule.path("message").asText(), at));
            }
        }
    }

    /** The message of the rule without the field, which it begins with, if that is the one of the finding. */
    private static String sentence(String message, String path) {
        int blank = message.indexOf(' ');
        return blank > 0 && path.endsWith(message.substring(0, blank))
                ? message.substring(blank + 1)
                : "is wrong: " + message;
    }

    private void refuse(String path, String sentence) {
        found++;
        findings.refuse(path, sentence);
    }

    private static boolean isTime(String value) {
        try {
            var unused = OffsetDateTime.parse(value);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static String list(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(", "));
    }

    private static String words(String type) {
        return switch (type) {
            case "object" -> "fields";
            case "array" -> "a list";
            case "string" -> "a text, in quotes if it looks like a number";
            case "boolean" -> "true or false";
            default -> "a whole number";
        };
    }
}
