package io.capoa.api.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says what a schema accepts, apart from CEL rules. */
final class Validations {

    private final Patterns patterns;

    Validations(Patterns patterns) {
        this.patterns = patterns;
    }

    /** Empty if every value of the type is accepted. */
    String of(JsonNode schema) {
        return String.join("; ", parts(schema));
    }

    private List<String> parts(JsonNode schema) {
        List<String> parts = new ArrayList<>();
        if (schema.has("enum")) {
            parts.add(Field.strings(schema.get("enum")).stream()
                    .map(value -> Markdown.code(value.isEmpty() ? "\"\"" : value))
                    .collect(Collectors.joining(", ")));
        }
        range(parts, schema, "minimum", "maximum", "");
        range(parts, schema, "minLength", "maxLength", "character");
        range(parts, schema, "minItems", "maxItems", "entry");
        range(parts, schema, "minProperties", "maxProperties", schema.has("properties") ? "field" : "key");
        if (schema.has("pattern")) {
            parts.add(patterns.reference(schema.get("pattern").asText()));
        }
        if (schema.has("x-kubernetes-list-map-keys")) {
            parts.add("unique by "
                    + Field.strings(schema.get("x-kubernetes-list-map-keys")).stream()
                            .map(Markdown::code)
                            .collect(Collectors.joining(" and ")));
        }
        if (schema.path("x-kubernetes-list-type").asText().equals("set")) {
            parts.add("unique entries");
        }
        if (schema.has("items")) {
            nested(parts, schema.get("items"), "each");
        }
        if (schema.path("additionalProperties").isObject()) {
            nested(parts, schema.get("additionalProperties"), "values");
        }
        return parts;
    }

    private void nested(List<String> parts, JsonNode schema, String what) {
        List<String> nested = parts(schema);
        if (!nested.isEmpty()) {
            parts.add(what + " " + String.join(", ", nested));
        }
    }

    private static void range(List<String> parts, JsonNode schema, String least, String most, String unit) {
        boolean exact =
                schema.has(least) && schema.has(most) && number(schema, least).equals(number(schema, most));
        if (exact) {
            parts.add(counted(number(schema, least), unit));
        } else if (schema.has(least) && schema.has(most)) {
            parts.add(number(schema, least) + " to " + counted(number(schema, most), unit));
        } else if (schema.has(least)) {
            parts.add("at least " + counted(number(schema, least), unit));
        } else if (schema.has(most)) {
            parts.add("at most " + counted(number(schema, most), unit));
        }
    }

    private static String number(JsonNode schema, String bound) {
        return schema.get(bound).decimalValue().stripTrailingZeros().toPlainString();
    }

    private static String counted(String number, String unit) {
        if (unit.isEmpty()) {
            return number;
        }
        String plural = unit.equals("entry") ? "entries" : unit + "s";
        return number + " " + (number.equals("1") ? unit : plural);
    }
}
