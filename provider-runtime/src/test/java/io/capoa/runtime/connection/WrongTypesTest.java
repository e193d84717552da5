package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.WatchEvent;
import java.io.ByteArrayInputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads objects in which each value in turn has each other type, as older versions could store them. */
class WrongTypesTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "7",
            "-1.5",
            "99999999999999999999",
            "1e999",
            "\"\"",
            "\"text\"",
            "[]",
            "[7]",
            "[\"text\"]",
            "[{}]",
            "[[]]",
            "[null]",
            "{}",
            "{\"a\":\"text\"}",
            "{\"a\":7}",
            "{\"a\":{}}",
            "{\"a\":[{}]}",
            "{\"a\":null}");

    private final ObjectReading reading = new ObjectReading("ours");

    @BeforeEach
    void register() {
        reading.registerKubernetesResource(OpenshiftAssistedConfig.class);
        reading.registerKubernetesResource(OpenshiftAssistedControlPlane.class);
    }

    @Test
    void aConfig_isRead_whateverItHolds() throws Exception {
        everyValueOfEveryType(
                OpenshiftAssistedConfig.class,
                OpenshiftAssistedConfigSpec.class,
                OpenshiftAssistedConfigStatus.class,
                new TypeReference<OpenshiftAssistedConfig>() {});
    }

    @Test
    void aControlPlane_isRead_whateverItHolds() throws Exception {
        everyValueOfEveryType(
                OpenshiftAssistedControlPlane.class,
                OpenshiftAssistedControlPlaneSpec.class,
                OpenshiftAssistedControlPlaneStatus.class,
                new TypeReference<OpenshiftAssistedControlPlane>() {});
    }

    private <R extends HasMetadata> void everyValueOfEveryType(
            Class<R> kind, Class<?> spec, Class<?> status, TypeReference<R> one) throws Exception {
        TypeReference<DefaultKubernetesResourceList<R>> list = listOf(kind);
        ObjectNode whole = JSON.createObjectNode();
        whole.put("apiVersion", HasMetadata.getApiVersion(kind)).put("kind", HasMetadata.getKind(kind));
        whole.putObject("metadata").put("name", "o").put("namespace", "n");
        whole.set("spec", example(spec));
        whole.set("status", example(status));
        List<String> places = new ArrayList<>();
        places(whole.get("spec"), "/spec", places);
        places(whole.get("status"), "/status", places);
        assertThat(places).hasSizeGreaterThan(60);

        for (String place : places) {
            for (String value : VALUES) {
                String json = JSON.writeValueAsString(replaced(whole, place, value));
                assertThatCode(() -> {
                            assertThat(name(reading.unmarshal(stream(json), one)))
                                    .isEqualTo("o");
                            assertThat(name((HasMetadata) reading.unmarshal(
                                                    "{\"type\":\"ADDED\",\"object\":" + json + "}", WatchEvent.class)
                                            .getObject()))
                                    .isEqualTo("o");
                            assertThat(reading.unmarshal(
                                                    stream("{\"metadata\":{},\"items\":[" + json + "," + json + "]}"),
                                                    list)
                                            .getItems())
                                    .hasSize(2)
                                    .allSatisfy(item -> assertThat(name(item)).isEqualTo("o"));
                        })
                        .as("%s = %s", place, value)
                        .doesNotThrowAnyException();
            }
        }
    }

    /** As fabric8 asks for a list. */
    private static <R extends HasMetadata> TypeReference<DefaultKubernetesResourceList<R>> listOf(Class<R> kind) {
        return new TypeReference<>() {
            @Override
            public Type getType() {
                return JSON.getTypeFactory().constructParametricType(DefaultKubernetesResourceList.class, kind);
            }
        };
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }

    private static ByteArrayInputStream stream(String json) {
        return new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode replaced(ObjectNode whole, String place, String value) throws JsonProcessingException {
        ObjectNode copy = whole.deepCopy();
        int slash = place.lastIndexOf('/');
        JsonNode holder = copy.at(place.substring(0, slash));
        JsonNode node = JSON.readTree(value);
        if (holder instanceof ArrayNode array) {
            array.set(Integer.parseInt(place.substring(slash + 1)), node);
        } else {
            ((ObjectNode) holder).set(place.substring(slash + 1), node);
        }
        return copy;
    }

    private static void places(JsonNode node, String path, List<String> places) {
        places.add(path);
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            places(field.getValue(), path + "/" + field.getKey(), places);
        }
        for (int i = 0; i < node.size() && node.isArray(); i++) {
            places(node.get(i), path + "/" + i, places);
        }
    }

    /** An object in which every field is set. */
    private static JsonNode example(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            JsonNode element = example(arguments[arguments.length - 1]);
            return generic.getRawType() == Map.class
                    ? JSON.createObjectNode().set("key", element)
                    : JSON.createArrayNode().add(element);
        }
        Class<?> kind = (Class<?>) type;
        if (!kind.isRecord()) {
            return kind == String.class ? JSON.getNodeFactory().textNode("x") : JSON.nullNode();
        }
        ObjectNode object = JSON.createObjectNode();
        for (RecordComponent component : kind.getRecordComponents()) {
            object.set(component.getName(), example(component.getGenericType()));
        }
        return object;
    }
}
