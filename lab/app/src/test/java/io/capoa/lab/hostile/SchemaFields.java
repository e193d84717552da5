package io.capoa.lab.hostile;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The text fields of a kind, from its CRD: {@code spec.config.pullSecretRef.name}; entries of lists as {@code []},
 * values of maps as {@code {}}.
 */
final class SchemaFields {

    private static final Set<String> RULES =
            Set.of("pattern", "maxLength", "minLength", "enum", "format", "x-kubernetes-validations");

    private static final ResourceDefinitionContext CRD = new ResourceDefinitionContext.Builder()
            .withGroup("apiextensions.k8s.io")
            .withVersion("v1")
            .withKind("CustomResourceDefinition")
            .withPlural("customresourcedefinitions")
            .withNamespaced(false)
            .build();

    private SchemaFields() {}

    /** Every text field below {@code spec}, of the first version. */
    static List<String> ofSpec(KubernetesClient client, String crd) {
        GenericKubernetesResource definition = read(client, crd);
        List<Map<String, Object>> versions = definition.get("spec", "versions");
        Map<String, Object> schema = at(at(at(versions.getFirst(), "schema"), "openAPIV3Schema"), "properties");
        List<String> fields = new ArrayList<>();
        collect(at(schema, "spec"), "spec", fields);
        return fields;
    }

    /** Removes the rules about texts from a CRD, because stored objects may be older than them. */
    static void relax(KubernetesClient client, String crd) {
        GenericKubernetesResource definition = read(client, crd);
        strip(Objects.requireNonNull(definition.getAdditionalProperties().get("spec")));
        definition.getMetadata().setManagedFields(null);
        definition.getMetadata().setResourceVersion(null);
        var unused = client.genericKubernetesResources(CRD).resource(definition).update();
    }

    /** The object with a text in a field; lists and maps on the path get one entry. */
    static Map<String, Object> with(Map<String, Object> object, String field, String text) {
        Map<String, Object> copy = copy(object);
        set(copy, List.of(field.split("\\.(?![^\\[]*])", -1)), text);
        return copy;
    }

    private static GenericKubernetesResource read(KubernetesClient client, String crd) {
        return client.genericKubernetesResources(CRD).withName(crd).require();
    }

    private static void collect(Map<String, Object> schema, String path, List<String> fields) {
        switch (String.valueOf(schema.get("type"))) {
            case "string" -> fields.add(path);
            case "array" -> collect(at(schema, "items"), path + "[]", fields);
            case "object" -> {
                if (schema.containsKey("properties")) {
                    new TreeMap<>(at(schema, "properties"))
                            .forEach((name, property) -> collect(map(property), path + "." + name, fields));
                }
                if (schema.containsKey("additionalProperties")) {
                    collect(at(schema, "additionalProperties"), path + "{}", fields);
                }
            }
            default -> {
                // Numbers and booleans contain no text.
            }
        }
    }

    private static void strip(Object node) {
        if (node instanceof Map<?, ?> schema) {
            // "format" and "pattern" may be the names of fields, whose values are schemas.
            schema.entrySet().removeIf(entry -> RULES.contains(entry.getKey()) && !(entry.getValue() instanceof Map));
            schema.values().forEach(SchemaFields::strip);
        } else if (node instanceof List<?> list) {
            list.forEach(SchemaFields::strip);
        }
    }

    private static void set(Map<String, Object> object, List<String> path, String text) {
        String step = path.getFirst();
        boolean list = step.endsWith("[]");
        boolean entries = step.endsWith("{}");
        String name = list || entries ? step.substring(0, step.length() - 2) : step;
        if (path.size() == 1) {
            object.put(name, list ? List.of(text) : entries ? Map.of("example.com/hostile", text) : text);
            return;
        }
        List<String> rest = path.subList(1, path.size());
        if (list) {
            Map<String, Object> entry = object.get(name) instanceof List<?> known && !known.isEmpty()
                    ? copy(map(known.getFirst()))
                    : new LinkedHashMap<>();
            set(entry, rest, text);
            object.put(name, List.of(entry));
        } else {
            Map<String, Object> inner =
                    object.get(name) instanceof Map<?, ?> known ? map(known) : new LinkedHashMap<>();
            set(inner, rest, text);
            object.put(name, inner);
        }
    }

    private static Map<String, Object> copy(Map<String, Object> object) {
        Map<String, Object> copy = new LinkedHashMap<>();
        object.forEach((key, value) -> copy.put(key, value instanceof Map<?, ?> inner ? copy(map(inner)) : value));
        return copy;
    }

    private static Map<String, Object> at(Map<String, Object> node, String key) {
        return map(Objects.requireNonNull(node.get(key), key));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
