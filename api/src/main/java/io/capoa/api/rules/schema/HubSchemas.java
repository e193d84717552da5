package io.capoa.api.rules.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The v1beta1 schemas of our CRDs without their descriptions, from the generated resource {@code v1beta1.json}. */
public final class HubSchemas {

    private static final String RESOURCE = "v1beta1.json";

    private static final JsonNode CONTENT = load();

    private HubSchemas() {}

    /** The OpenAPI v3 schema of a kind. */
    public static JsonNode of(String kind) {
        JsonNode schema = CONTENT.path(kind);
        if (!schema.isObject()) {
            throw new IllegalArgumentException(kind + " is no kind of v1beta1");
        }
        return schema;
    }

    private static JsonNode load() {
        try (InputStream in = Objects.requireNonNull(HubSchemas.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            return new JsonMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " cannot be read", e);
        }
    }
}
