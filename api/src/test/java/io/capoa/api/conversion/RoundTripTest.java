package io.capoa.api.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.Annotations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversions there and back give the same object, for generated objects of each version, valid and hostile. */
class RoundTripTest {

    private static final long SEED = 20261123;

    /** Number of generated objects for each version. */
    int rounds() {
        return 500;
    }

    static Stream<OlderVersion> versions() {
        return Stream.concat(
                ApiConversion.bootstrap().olderVersions().stream(),
                ApiConversion.controlPlane().olderVersions().stream());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void hubToOlderToHub(OlderVersion version) throws Exception {
        JsonNode schema = hubSchema(version);
        JsonNode olderSchema = OlderSchemas.load().schema(version.kind(), apiVersion(version));
        String hub = hub(version);
        for (int i = 0; i < rounds(); i++) {
            ObjectNode object = generated(i).object(schema, version.kind(), hub);
            ObjectNode older = throughTheApiServer(version.fromHub(object), olderSchema);

            ObjectNode back = version.toHub(older);

            assertThat(back).as("round %s of %s", i, version).isEqualTo(object);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void olderToHubToOlder(OlderVersion version) throws Exception {
        JsonNode schema = OlderSchemas.load().schema(version.kind(), apiVersion(version));
        JsonNode hubSchema = hubSchema(version);
        for (int i = 0; i < rounds(); i++) {
            boolean hostile = i % 2 == 1;
            ObjectNode object = generated(i).object(schema, version.kind(), version.apiVersion());
            ObjectNode hub = version.toHub(object);
            if (!hostile) {
                ObjectNode pruned = hub.deepCopy();
                prune(pruned, hubSchema);
                assertThat(pruned).as("a field that v1beta1 does not have").isEqualTo(hub);
            }

            ObjectNode back = version.fromHub(hub);

            assertThat(back).as("round %s of %s", i, version).isEqualTo(object);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void theAnnotationsDoNotGrow(OlderVersion version) throws Exception {
        JsonNode schema = OlderSchemas.load().schema(version.kind(), apiVersion(version));
        for (int i = 0; i < 500; i++) {
            ObjectNode older = generated(i).object(schema, version.kind(), version.apiVersion());
            ObjectNode hub = version.toHub(older);
            ObjectNode again = hub;
            for (int round = 0; round < 3; round++) {
                again = version.toHub(version.fromHub(again));
            }

            assertThat(again).isEqualTo(hub);
            assertThat(hub.path("metadata").path("annotations").has(Annotations.CONVERSION_DATA))
                    .isFalse();
        }
    }

    private static GeneratedObjects generated(int round) {
        return new GeneratedObjects(new Random(SEED + round), round % 2 == 1);
    }

    /** Drops fields that the version does not have, as the API server does with converted objects. */
    private static ObjectNode throughTheApiServer(ObjectNode older, JsonNode schema) {
        ObjectNode pruned = older.deepCopy();
        prune(pruned, schema);
        return pruned;
    }

    private static void prune(JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode object
                && schema.path("type").asText().equals("object")
                && !schema.has("additionalProperties")
                && schema.has("properties")) {
            object.properties()
                    .removeIf(field -> !schema.path("properties").has(field.getKey())
                            && !field.getKey().equals("metadata")
                            && !field.getKey().equals("apiVersion")
                            && !field.getKey().equals("kind"));
            object.properties()
                    .forEach(field ->
                            prune(field.getValue(), schema.path("properties").path(field.getKey())));
        } else if (value.isArray()) {
            value.forEach(entry -> prune(entry, schema.path("items")));
        }
    }

    private static JsonNode hubSchema(OlderVersion version) throws IOException {
        String file = hub(version).replaceFirst("/.*", "") + "_"
                + version.kind().toLowerCase(java.util.Locale.ROOT) + "s.yaml";
        for (JsonNode hub :
                new YAMLMapper().readTree(Path.of("..", "crds", file).toFile()).at("/spec/versions")) {
            if (hub.path("name").asText().equals(ApiConversion.HUB)) {
                return hub.at("/schema/openAPIV3Schema");
            }
        }
        throw new AssertionError("v1beta1 is missing in " + file);
    }

    private static String hub(OlderVersion version) {
        return version.apiVersion().replaceFirst("/.*", "/" + ApiConversion.HUB);
    }

    private static String apiVersion(OlderVersion version) {
        return version.apiVersion().replaceFirst(".*/", "");
    }
}
