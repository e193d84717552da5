package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The reduced schemas are a subset of the publishers' CRDs. */
class LeanSchemaTest {

    private static final Path PUBLISHED =
            ProjectRoot.find().resolveSibling("shared").resolve("crds");
    private static final List<String> SAME =
            List.of("type", "format", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields");

    @TestFactory
    Stream<DynamicTest> everyFieldExistsInThePublishersSchemaWithTheSameType() {
        assumeTrue(Files.isDirectory(PUBLISHED), "needs the publishers' CRDs in ../shared/crds");
        Map<String, GenericKubernetesResource> published = new TreeMap<>();
        ManifestFiles.below(PUBLISHED, file -> true)
                .forEach(definition -> published.put(definition.getMetadata().getName(), definition));
        return LeanSchemas.all().stream()
                .map(lean -> DynamicTest.dynamicTest(lean.getMetadata().getName(), () -> {
                    String name = lean.getMetadata().getName();
                    assertThat(published).containsKey(name);
                    GenericKubernetesResource real = Objects.requireNonNull(published.get(name));
                    assertThat(lean.<String>get("spec", "scope")).isEqualTo(real.<String>get("spec", "scope"));
                    assertThat(lean.<String>get("spec", "names", "kind"))
                            .isEqualTo(real.<String>get("spec", "names", "kind"));
                    assertThat(storage(lean).get("name"))
                            .isEqualTo(storage(real).get("name"));
                    assertThat(storage(lean).getOrDefault("subresources", Map.of()))
                            .isEqualTo(storage(real).getOrDefault("subresources", Map.of()));
                    assertThat(differences("", schema(lean), schema(real))).isEmpty();
                    assertThat(columns(lean))
                            .isEqualTo(columns(real).stream()
                                    .filter(column -> exists(schema(lean), column))
                                    .toList());
                }));
    }

    @Test
    void whenAFieldIsUnknownToThePublisherOrOfAnotherType_isFound() {
        Map<String, Object> real = Map.of(
                "type", "object", "properties", Map.of("replicas", Map.of("type", "integer", "format", "int32")));
        Map<String, Object> lean = Map.of(
                "type",
                "object",
                "properties",
                Map.of("replicas", Map.of("type", "string"), "invented", Map.of("type", "string")));

        assertThat(differences("", lean, real))
                .containsExactlyInAnyOrder(
                        ".invented is not in the published schema",
                        ".replicas type string instead of integer",
                        ".replicas format null instead of int32");
    }

    /** Name, type, path and priority of the columns that kubectl shows. */
    private static List<List<Object>> columns(GenericKubernetesResource definition) {
        return storage(definition).get("additionalPrinterColumns") instanceof List<?> columns
                ? columns.stream()
                        .map(column -> map(column))
                        .map(column -> List.of(
                                column.get("name"),
                                column.get("type"),
                                column.get("jsonPath"),
                                column.getOrDefault("priority", 0)))
                        .toList()
                : List.of();
    }

    /** Whether the schema has the field of a column; metadata has no schema, and a filter selects from a list. */
    private static boolean exists(Map<String, Object> schema, List<Object> column) {
        String path = column.get(2).toString();
        Map<String, Object> at = schema;
        for (String field : path.substring(1).replaceFirst("\\[.*", "").split("\\.", -1)) {
            if (field.equals("metadata")) {
                return true;
            }
            if (!properties(at).containsKey(field)) {
                return false;
            }
            at = map(properties(at).get(field));
        }
        return true;
    }

    private static List<String> differences(String path, Map<String, Object> lean, Map<String, Object> real) {
        List<String> found = new ArrayList<>();
        for (String key : SAME) {
            boolean unspecificFormat = key.equals("format") && lean.get(key) == null && isAddressFormat(real.get(key));
            if (!unspecificFormat && !Objects.equals(lean.get(key), real.get(key))) {
                found.add("%s %s %s instead of %s".formatted(path, key, lean.get(key), real.get(key)));
            }
        }
        properties(lean).forEach((name, field) -> {
            Object counterpart = properties(real).get(name);
            String child = path + "." + name;
            if (counterpart == null) {
                found.add(child + " is not in the published schema");
            } else {
                found.addAll(differences(child, map(field), map(counterpart)));
            }
        });
        for (String nested : List.of("items", "additionalProperties")) {
            if (lean.get(nested) instanceof Map<?, ?> inner) {
                found.addAll(
                        real.get(nested) instanceof Map<?, ?> counterpart
                                ? differences(path + "[]", map(inner), map(counterpart))
                                : List.of("%s has no %s in the published schema".formatted(path, nested)));
            }
        }
        return found;
    }

    /** Formats that an API server does not support and warns about. */
    private static boolean isAddressFormat(@Nullable Object format) {
        return "ip".equals(format) || "ipv6".equals(format);
    }

    private static Map<String, Object> storage(GenericKubernetesResource definition) {
        List<Map<String, Object>> versions = definition.get("spec", "versions");
        return versions.stream()
                .filter(version -> Boolean.TRUE.equals(version.get("storage")))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> schema(GenericKubernetesResource definition) {
        return map(map(storage(definition).get("schema")).get("openAPIV3Schema"));
    }

    private static Map<String, Object> properties(Map<String, Object> schema) {
        return schema.containsKey("properties") ? map(schema.get("properties")) : Map.of();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }
}
