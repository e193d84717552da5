package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Random objects of a schema: valid ones, or ones with values of other types, unknown fields and nulls. */
final class GeneratedObjects {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "x_y",
            "90s",
            "1m30s",
            "1h0m0.5s",
            "10s",
            "infrastructure.cluster.x-k8s.io/v1beta1",
            "v1",
            "/",
            "ü\u0000~1");
    private static final List<String> TYPES = List.of("Ready", "Available", "a/b", "type=Ready", "Paused");

    private final Random random;
    private final boolean hostile;
    private final Map<String, List<JsonNode>> examples;

    /**
     * Generates objects.
     *
     * @param examples values that fields of a name take, used for half of them
     */
    GeneratedObjects(Random random, boolean hostile, Map<String, List<JsonNode>> examples) {
        this.random = random;
        this.hostile = hostile;
        this.examples = examples;
    }

    ObjectNode object(JsonNode schema, String kind, String apiVersion) {
        ObjectNode object = (ObjectNode) ofSchema(schema, "", false);
        object.put("apiVersion", apiVersion);
        object.put("kind", kind);
        ObjectNode metadata = object.putObject("metadata").put("name", "a").put("uid", "u");
        if (random.nextBoolean()) {
            metadata.putObject("annotations").put("example.com/note", text());
        }
        return object;
    }

    private JsonNode ofSchema(JsonNode schema, String name, boolean mayBeWrong) {
        if (mayBeWrong && hostile && random.nextInt(12) == 0) {
            return wrong();
        }
        List<JsonNode> known = examples.getOrDefault(name, List.of());
        if (!known.isEmpty() && !schema.has("properties") && !schema.has("items") && random.nextBoolean()) {
            return known.get(random.nextInt(known.size()));
        }
        return switch (schema.path("type").asText()) {
            case "object" -> ofObject(schema);
            case "array" ->
                name.equals("conditions") || name.equals("v1beta1Conditions")
                        ? conditions(schema.path("items"))
                        : list(schema.path("items"), name);
            case "string" -> ofString(schema, name);
            case "integer" ->
                IntNode.valueOf(random.nextInt(4) == 0 ? random.nextInt() & Integer.MAX_VALUE : random.nextInt(5));
            case "boolean" -> BooleanNode.valueOf(random.nextBoolean());
            default -> TextNode.valueOf("");
        };
    }

    private ObjectNode ofObject(JsonNode schema) {
        ObjectNode object = NODES.objectNode();
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        JsonNode values = schema.path("additionalProperties");
        if (values.isObject()) {
            for (int i = random.nextInt(3); i > 0; i--) {
                object.set(text() + i, ofSchema(values, "", true));
            }
        }
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            boolean preset = field.getValue().has("default");
            List<JsonNode> known = examples.getOrDefault(field.getKey(), List.of());
            if (required.contains(field.getKey())
                    && !known.isEmpty()
                    && !field.getValue().has("items")) {
                object.set(field.getKey(), known.getFirst());
            } else if ((preset && !hostile)
                    || (required.contains(field.getKey()) && !examples.isEmpty())
                    || random.nextInt(3) > 0) {
                object.set(field.getKey(), ofSchema(field.getValue(), field.getKey(), true));
            }
        }
        if (hostile && random.nextInt(10) == 0) {
            object.set(random.nextBoolean() ? "unknown" : "preBootstrapCommands", wrong());
        }
        return object;
    }

    private ArrayNode list(JsonNode items, String name) {
        ArrayNode list = NODES.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(ofSchema(items, name, true));
        }
        return list;
    }

    private ArrayNode conditions(JsonNode items) {
        ArrayNode list = NODES.arrayNode();
        Set<String> seen = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String type = TYPES.get(random.nextInt(TYPES.size()));
            JsonNode condition = ofSchema(items, "", true);
            if (condition instanceof ObjectNode object && !hostile) {
                object.put("type", type);
                object.put("status", List.of("True", "False", "Unknown").get(random.nextInt(3)));
            }
            if (hostile || seen.add(type)) {
                list.add(condition);
            }
        }
        return list;
    }

    private JsonNode ofString(JsonNode schema, String name) {
        JsonNode values = schema.path("enum");
        if (values.isArray()) {
            return values.get(random.nextInt(values.size()));
        }
        if (name.startsWith("node") && random.nextInt(4) > 0) {
            return TextNode.valueOf(TEXTS.get(3 + random.nextInt(4)));
        }
        return TextNode.valueOf(text());
    }

    private JsonNode wrong() {
        return switch (random.nextInt(6)) {
            case 0 -> NullNode.getInstance();
            case 1 -> NODES.objectNode().put("type", "x");
            case 2 -> NODES.arrayNode().add("x").add(1);
            case 3 -> NODES.numberNode(1.5);
            case 4 -> NODES.numberNode(Long.MAX_VALUE);
            default -> NODES.arrayNode().add(NODES.objectNode().putNull("type"));
        };
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }
}
