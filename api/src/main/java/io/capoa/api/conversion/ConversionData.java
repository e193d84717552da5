package io.capoa.api.conversion;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The annotation in which a converted object carries what its version has no field for.
 *
 * @param annotation its name
 * @param apiVersion the version whose fields it holds; the Go provider uses the same annotation with other content,
 *     which is dropped, as is what cannot be read
 */
record ConversionData(String annotation, String apiVersion) {

    /** Levels of nesting: more than a v1beta1 object has, and far less than a JSON writer accepts. */
    private static final int DEEPEST = 64;

    private static final JsonMapper JSON = new JsonMapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build());
    private static final String API_VERSION = "apiVersion";
    private static final String FIELDS = "fields";
    private static final String TOO_LARGE = "tooLarge";
    private static final String ANNOTATIONS = "annotations";

    /** What the API server accepts for all annotations of an object, names and values, in bytes. */
    private static final int LIMIT = 256 << 10;

    /**
     * What was carried.
     *
     * @param present whether there was an annotation of ours at all
     * @param tooLarge whether the fields did not fit and are missing
     */
    record Carried(Remainder remainder, boolean present, boolean tooLarge) {

        static final Carried NOTHING = new Carried(Remainder.NONE, false, false);
    }

    /** Removes the annotation, and {@code annotations} if it was the only one. */
    Carried takeFrom(JsonNode metadata) {
        if (!(metadata.path(ANNOTATIONS) instanceof ObjectNode annotations)) {
            return Carried.NOTHING;
        }
        JsonNode value = annotations.remove(annotation);
        if (value == null) {
            return Carried.NOTHING;
        }
        if (annotations.isEmpty()) {
            var unused = ((ObjectNode) metadata).remove(ANNOTATIONS);
        }
        JsonNode data = parsed(value.asText());
        return data.path(API_VERSION).asText().equals(apiVersion)
                ? new Carried(
                        Remainder.fromJson(data.path(FIELDS)),
                        true,
                        data.path(TOO_LARGE).asBoolean())
                : Carried.NOTHING;
    }

    /** Adds the annotation if there is something to carry; without the fields if they do not fit. */
    void putOn(JsonNode metadata, Remainder remainder) {
        if (remainder.isEmpty() || !(metadata instanceof ObjectNode object)) {
            return;
        }
        ObjectNode annotations =
                object.path(ANNOTATIONS) instanceof ObjectNode present ? present : object.putObject(ANNOTATIONS);
        ObjectNode data = JsonNodeFactory.instance.objectNode().put(API_VERSION, apiVersion);
        data.set(FIELDS, remainder.toJson());
        String text = text(data);
        if (size(annotations) + bytes(annotation) + bytes(text) > LIMIT) {
            var unused = data.remove(FIELDS);
            text = text(data.put(TOO_LARGE, true));
        }
        annotations.put(annotation, text);
    }

    private static String text(ObjectNode data) {
        try {
            return Remainder.SORTED.writeValueAsString(data);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can be written", e);
        }
    }

    private static int size(ObjectNode annotations) {
        int size = 0;
        for (Map.Entry<String, JsonNode> entry : annotations.properties()) {
            size += bytes(entry.getKey()) + bytes(entry.getValue().asText());
        }
        return size;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static JsonNode parsed(String text) {
        try {
            JsonNode data = JSON.readTree(text);
            return data == null ? MissingNode.getInstance() : data;
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
