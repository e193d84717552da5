package io.capoa.api.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.conversion.OlderSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The older versions in {@code crds/} are those of the Go provider, compared with its published CRDs where they are
 * beside the checkout, and always with a committed list of fields. {@code -Dcapoa.golden=write} rewrites the list.
 */
class GoProviderSchemasTest {

    private static final Path LIST = Path.of("src/test/resources/io/capoa/api/crds/older-fields.txt");
    private static final Path PUBLISHED = Path.of("..", "..", "shared", "crds", "capoa");

    private final YAMLMapper yaml = new YAMLMapper();

    @Test
    void theFieldsAreThoseOfTheList() throws IOException {
        String fields = fields().entrySet().stream()
                .map(field -> field.getKey() + " " + field.getValue() + "\n")
                .collect(Collectors.joining());
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.createDirectories(LIST.getParent());
            Files.writeString(LIST, fields);
        }
        assertThat(fields)
                .as("fields of the Go provider's versions, which must not change")
                .isEqualTo(Files.readString(LIST));
    }

    @ParameterizedTest
    @CsvSource({
        "bootstrap.cluster.x-k8s.io_openshiftassistedconfigs.yaml",
        "bootstrap.cluster.x-k8s.io_openshiftassistedconfigtemplates.yaml",
        "controlplane.cluster.x-k8s.io_openshiftassistedcontrolplanes.yaml"
    })
    void theSchemasColumnsAndSubresourcesAreThePublishedOnes(String file) throws IOException {
        assumeTrue(Files.isDirectory(PUBLISHED), "the Go provider's CRDs are not beside the checkout");
        JsonNode published = yaml.readTree(PUBLISHED.resolve(file).toFile());
        JsonNode ours = yaml.readTree(CrdFiles.generate().get(file));

        for (JsonNode version : published.at("/spec/versions")) {
            JsonNode same = version(ours, version.path("name").asText());
            assertThat(same.path("served").asBoolean()).isTrue();
            assertThat(same.path("storage").asBoolean()).isFalse();
            for (String part : new String[] {"schema", "additionalPrinterColumns", "subresources"}) {
                assertThat(comparable(same.path(part)))
                        .as("%s of %s in %s", part, version.path("name"), file)
                        .isEqualTo(comparable(version.path(part)));
            }
        }
    }

    /** Path to everything that the schema says about it. */
    private static SortedMap<String, String> fields() {
        var fields = new TreeMap<String, String>();
        OlderSchemas schemas = OlderSchemas.load();
        for (var kind : Kinds.ALL) {
            for (String version : schemas.versions(kind.getSimpleName())) {
                collect(
                        schemas.schema(kind.getSimpleName(), version),
                        version + " " + kind.getSimpleName() + " ",
                        fields);
            }
        }
        return fields;
    }

    private static void collect(JsonNode schema, String path, SortedMap<String, String> into) {
        var facts = new TreeMap<String, JsonNode>();
        for (Map.Entry<String, JsonNode> fact : schema.properties()) {
            switch (fact.getKey()) {
                case "properties" ->
                    fact.getValue()
                            .properties()
                            .forEach(field -> collect(field.getValue(), path + "." + field.getKey(), into));
                case "items" -> collect(fact.getValue(), path + "[]", into);
                case "additionalProperties" -> collect(fact.getValue(), path + "{}", into);
                default -> facts.put(fact.getKey(), fact.getValue());
            }
        }
        into.put(path, facts.toString());
    }

    private static JsonNode version(JsonNode crd, String name) {
        for (JsonNode version : crd.at("/spec/versions")) {
            if (version.path("name").asText().equals(name)) {
                return version;
            }
        }
        throw new AssertionError(name + " is missing");
    }

    /** Without descriptions, which are the Go provider's own, and with 0 and 0.0 as one number. */
    private static JsonNode comparable(JsonNode node) {
        if (node instanceof ObjectNode object && object.path("description").isTextual()) {
            var unused = object.remove("description");
        }
        if (node instanceof ObjectNode object && object.path("minimum").isNumber()) {
            object.put("minimum", object.path("minimum").asDouble());
        }
        node.forEach(GoProviderSchemasTest::comparable);
        return node;
    }
}
