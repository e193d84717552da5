package io.capoa.api.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.Annotations;
import io.capoa.api.rules.schema.SchemaCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversions there and back give the same object, for generated objects of each version, valid and hostile. */
@Execution(ExecutionMode.CONCURRENT)
class RoundTripTest {

    private static final Set<String> KNOWN = Set.of("apiVersion", "kind", "metadata", "spec", "status");
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
        Map<String, List<JsonNode>> examples = examples(version);
        int full = 0;
        for (int i = 0; i < rounds(); i++) {
            ObjectNode object = generated(i, examples).object(schema, version.kind(), hub);
            repair(object, schema);
            full += object.path("spec").size() > 1
                            || object.path("spec").path("template").path("spec").size() > 1
                    ? 1
                    : 0;
            ObjectNode older = throughTheApiServer(version.fromHub(object), olderSchema);

            ObjectNode back = version.toHub(older);

            assertThat(back).as("round %s of %s", i, version).isEqualTo(object);
        }
        assertThat(full).as("objects that say something").isGreaterThan(rounds() / 4);
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

    /** What v1beta1 refuses cannot be carried through an older version; what passes is stable, and nothing fails. */
    @ParameterizedTest
    @MethodSource("versions")
    void whatDoesNotFit_isIgnoredOnce(OlderVersion version) throws Exception {
        JsonNode schema = hubSchema(version);
        JsonNode olderSchema = OlderSchemas.load().schema(version.kind(), apiVersion(version));
        int ignored = 0;
        for (int i = 1; i < 500; i += 2) {
            ObjectNode object = generated(i).object(schema, version.kind(), hub(version));
            ObjectNode first = version.toHub(throughTheApiServer(version.fromHub(object), olderSchema));
            ignored += ConversionLoss.of(first).isPresent() ? 1 : 0;

            ObjectNode second = version.toHub(throughTheApiServer(version.fromHub(first), olderSchema));

            assertThat(second).as("round %s of %s", i, version).isEqualTo(first);
        }
        assertThat(ignored).isPositive();
    }

    private static GeneratedObjects generated(int round) {
        return generated(round, Map.of());
    }

    private static GeneratedObjects generated(int round, Map<String, List<JsonNode>> examples) {
        return new GeneratedObjects(new Random(SEED + round), round % 2 == 1, examples);
    }

    /** The values of an object with all fields, by the name of the field. */
    private static Map<String, List<JsonNode>> examples(OlderVersion version) throws IOException {
        String file = "/io/capoa/api/" + version.kind().toLowerCase(Locale.ROOT) + ".yaml";
        Map<String, List<JsonNode>> examples = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(RoundTripTest.class.getResourceAsStream(file), file)) {
            collect(new YAMLMapper().readTree(in).path("spec"), "", examples);
        }
        return examples;
    }

    private static void collect(JsonNode value, String name, Map<String, List<JsonNode>> into) {
        if (value.isArray()) {
            value.forEach(entry -> collect(entry, name, into));
        } else if (value.isObject()) {
            value.properties().forEach(field -> collect(field.getValue(), field.getKey(), into));
        } else {
            into.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        }
    }

    /** Drops what the schema does not take: such an object cannot be stored through v1beta1. */
    private static void repair(ObjectNode object, JsonNode schema) {
        object.properties().removeIf(field -> !KNOWN.contains(field.getKey()));
        for (String part : List.of("spec", "status")) {
            if (object.has(part)
                    && !isRepaired(object.path(part), schema.path("properties").path(part))) {
                var unused = object.remove(part);
            }
        }
    }

    private static boolean isRepaired(JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode object) {
            JsonNode others = schema.path("additionalProperties");
            object.properties()
                    .removeIf(field -> !isRepaired(
                            field.getValue(),
                            others.isObject()
                                    ? others
                                    : schema.path("properties").path(field.getKey())));
        } else if (value instanceof ArrayNode array) {
            for (int i = array.size() - 1; i >= 0; i--) {
                if (!isRepaired(array.get(i), schema.path("items"))) {
                    var unused = array.remove(i);
                }
            }
        }
        return schema.isObject() && SchemaCheck.fits(value, schema);
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
        String file =
                hub(version).replaceFirst("/.*", "") + "_" + version.kind().toLowerCase(Locale.ROOT) + "s.yaml";
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
