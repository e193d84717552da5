package io.capoa.runtime.webhook;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.conversion.ApiConversion;
import io.capoa.api.conversion.UnconvertibleException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conversion of a provider's kinds between API versions ({@code apiextensions.k8s.io/v1}). It reads, converts and writes
 * one object after the other, because a list of all objects of a kind is large.
 *
 * <p>The API server wants all objects of a request or none, so a failure names the object to look at.
 */
public final class ConversionHandler implements WebhookHandler {

    /** Where CRDs expect the conversion: controller-runtime's path. */
    public static final String PATH = "/convert";

    private static final Logger LOG = LoggerFactory.getLogger(ConversionHandler.class);

    private static final String VERSION = "apiextensions.k8s.io/v1";
    private static final String KIND = "ConversionReview";
    private static final JsonMapper JSON = new JsonMapper();

    /** Names and values of one object, of which a conversion makes several copies. */
    private static final int MOST_VALUES = 75_000;

    private final ApiConversion conversion;

    public ConversionHandler(ApiConversion conversion) {
        this.conversion = conversion;
    }

    /** One object of a request failed. */
    private static final class Unconvertible extends IOException {

        private static final long serialVersionUID = 1L;

        private final String sentence;

        Unconvertible(String sentence) {
            super(sentence);
            this.sentence = sentence;
        }
    }

    /** It tells nothing but what it is sent. */
    @Override
    public boolean verifiesClients() {
        return false;
    }

    @Override
    public byte[] answer(byte[] body) throws MalformedRequest {
        return ReviewParser.read(body, MOST_VALUES, this::review);
    }

    private byte[] review(ReviewParser json) throws IOException, MalformedRequest {
        String kind = "";
        String version = "";
        if (json.nextToken() == JsonToken.START_OBJECT) {
            for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                switch (field) {
                    case "kind" -> kind = json.text();
                    case "apiVersion" -> version = json.text();
                    case "request" -> {
                        if (kind.equals(KIND) && version.equals(VERSION) && value == JsonToken.START_OBJECT) {
                            return request(json);
                        }
                        json.skipChildren();
                    }
                    default -> json.skipChildren();
                }
            }
        }
        throw new MalformedRequest("this path takes a " + KIND + " of " + VERSION
                + " with a request: set spec.conversion.webhook.conversionReviewVersions to [v1] in the"
                + " CustomResourceDefinition");
    }

    private byte[] request(ReviewParser json) throws IOException, MalformedRequest {
        String uid = "";
        String desired = "";
        for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            switch (field) {
                case "uid" -> uid = json.text();
                case "desiredAPIVersion" -> desired = json.text();
                case "objects" -> {
                    if (!uid.isEmpty() && !desired.isEmpty() && value == JsonToken.START_ARRAY) {
                        return review(json, uid, desired);
                    }
                    json.skipChildren();
                }
                default -> json.skipChildren();
            }
        }
        throw new MalformedRequest("the " + KIND
                + " has no request.uid, desiredAPIVersion and, behind them as API servers write it, list of objects");
    }

    private byte[] review(ReviewParser json, String uid, String desired) throws IOException, MalformedRequest {
        try {
            return written(uid, "Success", "", objects -> {
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    json.anew();
                    objects.writeTree(converted(JSON.readTree(json), desired));
                }
            });
        } catch (Unconvertible e) {
            return written(uid, "Failure", e.sentence, objects -> {});
        }
    }

    private ObjectNode converted(JsonNode node, String desired) throws Unconvertible {
        if (!(node instanceof ObjectNode object)) {
            throw new Unconvertible("an entry of request.objects is not an object");
        }
        try {
            return conversion.convert(object, desired);
        } catch (UnconvertibleException e) {
            throw new Unconvertible(name(object) + " cannot be converted to " + desired + ": " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{} could not be converted to {}", name(object), desired, e);
            throw new Unconvertible(
                    name(object) + " cannot be converted to " + desired + ": the log of the provider says why");
        }
    }

    private static String name(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return "%s %s/%s of %s"
                .formatted(
                        object.path("kind").asText(),
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText(),
                        object.path("apiVersion").asText());
    }

    /** Writes the objects of an answer. */
    @FunctionalInterface
    private interface Objects {
        void writeTo(JsonGenerator json) throws IOException;
    }

    private static byte[] written(String uid, String status, String message, Objects objects) throws IOException {
        try (ByteArrayBuilder out = new ByteArrayBuilder()) {
            try (JsonGenerator json = JSON.createGenerator(out)) {
                json.writeStartObject();
                json.writeStringField("apiVersion", VERSION);
                json.writeStringField("kind", KIND);
                json.writeObjectFieldStart("response");
                json.writeStringField("uid", uid);
                json.writeObjectFieldStart("result");
                json.writeStringField("status", status);
                json.writeStringField("message", message);
                json.writeEndObject();
                json.writeArrayFieldStart("convertedObjects");
                objects.writeTo(json);
                json.writeEndArray();
                json.writeEndObject();
                json.writeEndObject();
            }
            return out.toByteArray();
        }
    }
}
