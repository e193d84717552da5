package io.capoa.runtime.webhook;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.conversion.ApiConversion;
import io.capoa.api.conversion.UnconvertibleException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conversion of a provider's kinds between API versions ({@code apiextensions.k8s.io/v1}).
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

    private final ApiConversion conversion;

    public ConversionHandler(ApiConversion conversion) {
        this.conversion = conversion;
    }

    /** One object of a request failed. */
    private static final class Failed extends Exception {

        private final String sentence;

        Failed(String sentence) {
            super(sentence);
            this.sentence = sentence;
        }
    }

    @Override
    public byte[] answer(byte[] body) throws MalformedRequest {
        ObjectNode request = request(body);
        String uid = request.path("uid").asText();
        try {
            return review(uid, "Success", "", converted(request));
        } catch (Failed e) {
            return review(uid, "Failure", e.sentence, JSON.createArrayNode());
        }
    }

    private static ObjectNode request(byte[] body) throws MalformedRequest {
        JsonNode review;
        try {
            review = JSON.readTree(body);
        } catch (IOException e) {
            throw new MalformedRequest("the body is not JSON");
        }
        if (review == null
                || !review.path("kind").asText().equals(KIND)
                || !review.path("apiVersion").asText().equals(VERSION)) {
            throw new MalformedRequest("this path takes a " + KIND + " of " + VERSION
                    + ": set spec.conversion.webhook.conversionReviewVersions to [v1] in the CustomResourceDefinition");
        }
        if (!(review.path("request") instanceof ObjectNode request)
                || request.path("uid").asText().isEmpty()) {
            throw new MalformedRequest("the " + KIND + " has no request.uid");
        }
        return request;
    }

    /** In the order of the request; each original is released, because a list of all objects of a kind is large. */
    private ArrayNode converted(ObjectNode request) throws Failed {
        String desired = request.path("desiredAPIVersion").asText();
        JsonNode objects = request.path("objects");
        ArrayNode converted = JSON.createArrayNode();
        for (int i = 0; i < objects.size(); i++) {
            converted.add(converted(objects.path(i), desired));
            if (objects instanceof ArrayNode originals) {
                var unused = originals.set(i, NullNode.getInstance());
            }
        }
        return converted;
    }

    private ObjectNode converted(JsonNode node, String desired) throws Failed {
        if (!(node instanceof ObjectNode object)) {
            throw new Failed("an entry of request.objects is not an object");
        }
        try {
            return conversion.convert(object, desired);
        } catch (UnconvertibleException e) {
            throw new Failed(name(object) + " cannot be converted to " + desired + ": " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("{} could not be converted to {}", name(object), desired, e);
            throw new Failed(
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

    private static byte[] review(String uid, String status, String message, ArrayNode objects) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
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
            json.writeFieldName("convertedObjects");
            json.writeTree(objects);
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("a review can be written", e);
        }
        return out.toByteArray();
    }
}
