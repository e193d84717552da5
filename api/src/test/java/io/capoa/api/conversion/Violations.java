package io.capoa.api.conversion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Copies of an object with all fields, each of which breaks one constraint of its schema. */
final class Violations {

    /**
     * One of them.
     *
     * @param constraint the keyword, or the CEL rule
     * @param field as findings name it
     * @param pointer to the value that is wrong
     */
    record Violation(String constraint, String field, String pointer, ObjectNode object) {

        @Override
        public String toString() {
            return field + " " + constraint;
        }
    }

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> STRANGE = List.of("../../x", "a b", "UPPER/../x", "\n", "ü", "a\n", "x");

    /** What is merged into a valid value to break a CEL rule, by a part of the rule that no other one has. */
    private static final Map<String, String> BREAKS = new LinkedHashMap<>();

    static {
        BREAKS.put("label.matches('^[^=]+=')", "['=x']");
        BREAKS.put("[$]?[A-Za-z_]", "'a host'");
        BREAKS.put("!has(self.arbiter) || !has(self.replicas)", "{replicas: 5}");
        BREAKS.put("self.replicas <= 3", "{arbiter: null, replicas: 5, distributionVersion: 4.17.1}");
        BREAKS.put("self.replicas != 1", "{replicas: 1, config: {platform: {type: VSphere}}}");
        BREAKS.put("self != 2", "2");
        BREAKS.put("self in [1, 2, 3, 4, 5]", "7");
        BREAKS.put("self == 1", "2");
        BREAKS.put("self in [0, 1]", "2");
        BREAKS.put("self.endsWith('Template')", "Metal3Machine");
        BREAKS.put("'RollingUpdate', 'OnDelete'", "Nope");
        BREAKS.put("!has(self.rollingUpdate)", "{type: OnDelete, rollingUpdate: {maxSurge: 1}}");
        BREAKS.put("timestamp(self)", "'1969-01-01T00:00:00Z'");
        BREAKS.put("[.]random", "'-{{ .random }}'");
        BREAKS.put("exists_one", "[a, b, a]");
        BREAKS.put("pool != 'master'", "[master]");
        BREAKS.put("BEGIN CERTIFICATE", "nothing");
        BREAKS.put("ip(self[0]).family()", "[192.0.2.8, 192.0.2.9]");
        BREAKS.put("isIP(vip)", "['$(id)']");
        BREAKS.put("has(ref.name)", "[{name: ''}]");
        BREAKS.put("isCIDR", "192.0.2.0/33");
        BREAKS.put("!has(self.platformName)", "{type: None, platformName: x}");
        BREAKS.put("!has(self.cloudControllerManager)", "{type: None, cloudControllerManager: External}");
        BREAKS.put(
                "(has(self.ingressVIPs) && size(self.ingressVIPs) > 0)", "{apiVIPs: [192.0.2.1], ingressVIPs: null}");
        BREAKS.put(
                "self.platform.type in ['None', 'External']) || !(has(self.apiVIPs)",
                "{platform: {type: None}, apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]}");
        BREAKS.put(
                "!(has(self.platform) && has(self.platform.type) && self.platform.type in ['BareMetal'",
                "{platform: {type: BareMetal}, apiVIPs: null, ingressVIPs: null, loadBalancer: null}");
        BREAKS.put(
                "self.platform.type == 'Nutanix'",
                "{platform: {type: Nutanix}, apiVIPs: null, ingressVIPs: null, loadBalancer: null}");
        BREAKS.put(
                "self.loadBalancer.type != 'UserManaged'",
                "{platform: {type: Nutanix}, loadBalancer: {type: UserManaged}}");
        BREAKS.put(
                "self.loadBalancer.type != 'ClusterManaged'",
                "{platform: {type: None}, loadBalancer: {type: ClusterManaged}}");
        BREAKS.put("!has(self.networking) ||", "{platform: {type: None}, networking: {userManagedNetworking: false}}");
        BREAKS.put(
                "!(has(self.networking)", "{platform: {type: BareMetal}, networking: {userManagedNetworking: true}}");
        BREAKS.put("v1beta1[.]", "x");
        BREAKS.put("(None|vCurrent|v4", "All");
        BREAKS.put("[-a-z0-9.]*[a-z0-9])?$')", "UPPER/../x");
        BREAKS.put("!self.matches('^v?4[.]')", "4.20.1");
        BREAKS.put("^v?(0|[1-9]", "'7'");
        BREAKS.put("^[A-Za-z0-9]([-A-Za-z0-9]*", "https://x");
    }

    private final ObjectNode valid;
    private final Set<JsonNode> seen;
    private final List<Violation> found = new ArrayList<>();

    private Violations(ObjectNode valid, Set<JsonNode> seen) {
        this.valid = valid;
        this.seen = seen;
    }

    /** Of each constraint at least one, together. */
    static List<Violation> of(List<ObjectNode> valid, JsonNode schema) {
        Set<JsonNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Violation> all = new ArrayList<>();
        for (ObjectNode example : valid) {
            Violations violations = new Violations(example, seen);
            violations.walk(schema.path("properties").path("spec"), "spec", "/spec");
            all.addAll(violations.found);
        }
        List<String> unseen = new ArrayList<>();
        unseen(schema.path("properties").path("spec"), "spec", seen, unseen);
        if (!unseen.isEmpty()) {
            throw new AssertionError("the examples lack " + unseen);
        }
        return all;
    }

    private static void unseen(JsonNode schema, String field, Set<JsonNode> seen, List<String> into) {
        if (!seen.contains(schema)) {
            into.add(field);
        }
        schema.path("properties")
                .properties()
                .forEach(property -> unseen(property.getValue(), field + "." + property.getKey(), seen, into));
        for (String inner : List.of("items", "additionalProperties")) {
            if (schema.path(inner).isObject()) {
                unseen(schema.path(inner), field + "[]", seen, into);
            }
        }
    }

    private void walk(JsonNode schema, String field, String pointer) {
        JsonNode value = valid.at(pointer);
        if (value.isMissingNode()) {
            return;
        }
        if (seen.add(schema)) {
            constraints(schema, field, pointer, value);
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            walk(property.getValue(), field + "." + property.getKey(), pointer + "/" + property.getKey());
        }
        if (schema.path("items").isObject() && !value.isEmpty()) {
            walk(schema.path("items"), field + "[0]", pointer + "/0");
        }
        JsonNode others = schema.path("additionalProperties");
        if (others.isObject() && !value.isEmpty()) {
            String key = value.fieldNames().next();
            walk(
                    others,
                    field + "[" + key + "]",
                    pointer + "/" + key.replace("~", "~0").replace("/", "~1"));
        }
    }

    private void constraints(JsonNode schema, String field, String pointer, JsonNode value) {
        add("type", field, pointer, value.isTextual() ? IntNode.valueOf(7) : TextNode.valueOf("seven"));
        if (schema.has("enum")) {
            add("enum", field, pointer, TextNode.valueOf("Nope"));
        }
        limits(schema, field, pointer, value);
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            String text = rule.path("rule").asText();
            if (!text.contains("oldSelf.") || text.contains("optMap")) {
                add(text, field, pointer, broken(text, value));
            }
        }
        for (JsonNode name : schema.path("required")) {
            ObjectNode object = value.deepCopy();
            var unused = object.remove(name.asText());
            Violation violation = with("required", field + "." + name.asText(), pointer, object);
            found.add(violation);
        }
    }

    private void limits(JsonNode schema, String field, String pointer, JsonNode value) {
        if (schema.has("maxLength")) {
            add(
                    "maxLength",
                    field,
                    pointer,
                    TextNode.valueOf("x".repeat(schema.path("maxLength").asInt() + 1)));
        }
        if (schema.path("minLength").asInt() > 0) {
            add("minLength", field, pointer, TextNode.valueOf(""));
        }
        if (schema.has("pattern")) {
            Pattern pattern = Pattern.compile(schema.path("pattern").asText().replaceFirst("\\$$", "\\\\z"));
            String strange = STRANGE.stream()
                    .filter(text -> !pattern.matcher(text).find())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("nothing breaks " + pattern));
            add("pattern", field, pointer, TextNode.valueOf(strange));
        }
        if (schema.has("minimum")) {
            add(
                    "minimum",
                    field,
                    pointer,
                    IntNode.valueOf(schema.path("minimum").asInt() - 1));
        }
        if (schema.has("maximum")) {
            add(
                    "maximum",
                    field,
                    pointer,
                    IntNode.valueOf(schema.path("maximum").asInt() + 1));
        }
        if (schema.path("minItems").asInt() > 0) {
            add("minItems", field, pointer, NODES.arrayNode());
        }
        if (schema.has("maxItems")) {
            ArrayNode list = NODES.arrayNode();
            for (int i = schema.path("maxItems").asInt(); i >= 0; i--) {
                list.add(value.path(0));
            }
            add("maxItems", field, pointer, list);
        }
        if (schema.path("minProperties").asInt() > 0) {
            add("minProperties", field, pointer, NODES.objectNode());
        }
        if (schema.has("maxProperties")) {
            ObjectNode map = NODES.objectNode();
            for (int i = schema.path("maxProperties").asInt(); i >= 0; i--) {
                map.put("key" + i, "x");
            }
            add("maxProperties", field, pointer, map);
        }
    }

    private static JsonNode broken(String rule, JsonNode value) {
        String patch = BREAKS.entrySet().stream()
                .filter(entry -> rule.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError("add what breaks " + rule));
        try {
            JsonNode change = new YAMLMapper().readTree(patch);
            if (!change.isObject() || !value.isObject()) {
                return change;
            }
            ObjectNode merged = value.deepCopy();
            change.properties().forEach(field -> {
                if (field.getValue().isNull()) {
                    var unused = merged.remove(field.getKey());
                } else {
                    merged.set(field.getKey(), field.getValue());
                }
            });
            return merged;
        } catch (JsonProcessingException e) {
            throw new AssertionError(patch, e);
        }
    }

    private void add(String constraint, String field, String pointer, JsonNode value) {
        found.add(with(constraint, field, pointer, value));
    }

    private Violation with(String constraint, String field, String pointer, JsonNode value) {
        ObjectNode object = valid.deepCopy();
        int slash = pointer.lastIndexOf('/');
        JsonNode above = object.at(pointer.substring(0, slash));
        String last = pointer.substring(slash + 1).replace("~1", "/").replace("~0", "~");
        if (above instanceof ObjectNode holder) {
            holder.set(last, value);
        } else {
            var unused = ((ArrayNode) above).set(Integer.parseInt(last), value);
        }
        return new Violation(constraint, field, pointer, object);
    }
}
