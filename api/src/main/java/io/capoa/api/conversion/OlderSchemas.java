package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The schemas and printer columns of the Go provider's API versions, from the resource {@code older-versions.yaml}. */
public final class OlderSchemas {

    private static final String RESOURCE = "older-versions.yaml";
    private static final String PART = "$part";

    private final JsonNode content;

    private OlderSchemas(JsonNode content) {
        this.content = content;
    }

    /** Reads the resource. */
    public static OlderSchemas load() {
        try (InputStream in = Objects.requireNonNull(OlderSchemas.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return new OlderSchemas(new YAMLMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " cannot be read", e);
        }
    }

    /** The older versions of a kind, oldest first; empty for a kind that the Go provider does not have. */
    public List<String> versions(String kind) {
        List<String> versions = new ArrayList<>();
        content.path("schemas").path(kind).fieldNames().forEachRemaining(versions::add);
        return versions;
    }

    /** The OpenAPI v3 schema of a version, with all parts in place. */
    public ObjectNode schema(String kind, String version) {
        JsonNode schema = content.path("schemas").path(kind).path(version);
        if (!schema.isObject()) {
            throw new IllegalArgumentException(kind + " has no version " + version);
        }
        return (ObjectNode) resolved(schema);
    }

    /** The additional printer columns of a version as a CRD has them; empty for kubectl's own columns. */
    public List<JsonNode> columns(String kind, String version) {
        List<JsonNode> columns = new ArrayList<>();
        content.path("columns").path(kind).path(version).forEach(columns::add);
        return columns;
    }

    private JsonNode resolved(JsonNode node) {
        if (node.has(PART)) {
            String part = node.path(PART).asText();
            JsonNode target = content.path("parts").path(part);
            if (!target.isObject()) {
                throw new IllegalStateException(RESOURCE + " has no part " + part);
            }
            return resolved(target);
        }
        if (node instanceof ObjectNode object) {
            ObjectNode copy = object.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                copy.set(field.getKey(), resolved(field.getValue()));
            }
            return copy;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode copy = array.arrayNode();
            array.forEach(entry -> copy.add(resolved(entry)));
            return copy;
        }
        return node;
    }
}
