package io.capoa.api.crds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Objects that use every field there is: nothing is lost on the way through Java, nothing unknown is in the way. */
class FullObjectTest {

    static final List<Class<? extends HasMetadata>> KINDS = Kinds.ALL;

    /** Free-form maps: their keys are data, not fields. */
    private static final Set<String> MAPS = Set.of("labels", "annotations", "matchLabels");

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    @ParameterizedTest
    @FieldSource("KINDS")
    void whenReadAndWritten_nothingIsLost(Class<? extends HasMetadata> kind) throws IOException {
        JsonNode written = tree(serialization.unmarshal(sample(kind), kind));

        assertThat(written).isEqualTo(tree(serialization.unmarshal(sample(kind))));
    }

    @ParameterizedTest
    @FieldSource("KINDS")
    void theSampleUsesEveryFieldOfTheSchema(Class<? extends HasMetadata> kind) throws IOException {
        JsonNode sample = tree(serialization.unmarshal(sample(kind), kind));

        assertThat(fieldsOf(sample))
                .as("fields in api/src/test/resources%s: each needs an example there", file(kind))
                .containsAll(Schemas.fields(kind));
    }

    @ParameterizedTest
    @FieldSource("KINDS")
    void whenEveryObjectHasAnUnknownField_itReadsAsIfItHadNone(Class<? extends HasMetadata> kind) throws IOException {
        HasMetadata known = serialization.unmarshal(sample(kind), kind);
        JsonNode tree = tree(known);
        addUnknownFields(tree.get("spec"));
        if (tree.has("status")) {
            addUnknownFields(tree.get("status"));
        }

        HasMetadata read = serialization.convertValue(tree, kind);

        assertThat(withoutUnknownFields(tree(read))).isEqualTo(tree(known));
    }

    private String sample(Class<?> kind) throws IOException {
        String name = file(kind);
        try (var in = Objects.requireNonNull(getClass().getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String file(Class<?> kind) {
        return "/io/capoa/api/" + kind.getSimpleName().toLowerCase(Locale.ROOT) + ".yaml";
    }

    private JsonNode tree(Object object) {
        return serialization.unmarshal(serialization.asJson(object), JsonNode.class);
    }

    private static Set<String> fieldsOf(JsonNode node) {
        var fields = new TreeSet<String>();
        collect(node, "", fields);
        return fields;
    }

    private static void collect(JsonNode node, String path, Set<String> into) {
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            String at = path + "." + property.getKey();
            into.add(at);
            if (!MAPS.contains(property.getKey())) {
                collect(property.getValue(), at, into);
            }
        }
        if (node instanceof ArrayNode array) {
            array.forEach(item -> collect(item, path, into));
        }
    }

    private static void addUnknownFields(JsonNode node) {
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            if (!MAPS.contains(property.getKey())) {
                addUnknownFields(property.getValue());
            }
        }
        if (node instanceof ArrayNode array) {
            array.forEach(FullObjectTest::addUnknownFields);
        }
        if (node instanceof ObjectNode object) {
            object.put("ofTomorrow", "x");
        }
    }

    /** Kubernetes' own types, such as LabelSelector, carry unknown fields along. */
    private static JsonNode withoutUnknownFields(JsonNode node) {
        node.forEach(FullObjectTest::withoutUnknownFields);
        if (node instanceof ObjectNode object) {
            object.remove("ofTomorrow");
        }
        return node;
    }
}
