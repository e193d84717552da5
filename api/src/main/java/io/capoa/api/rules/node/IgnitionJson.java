package io.capoa.api.rules.node;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.untrusted.LongInput;
import io.capoa.api.untrusted.UntrustedContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * An Ignition configuration as JSON, of a supported version.
 *
 * @param root the whole configuration, including unknown fields
 */
public record IgnitionJson(ObjectNode root, SpecVersion version) {

    private static final JsonMapper JSON = UntrustedContent.jsonBuilder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    /**
     * Reads a configuration.
     *
     * @param source its name in messages, such as "The discovery ignition of InfraEnv a/b"
     * @throws InvalidIgnitionException if it is not JSON, not an object, or of a version that is not supported
     */
    public static IgnitionJson parse(byte[] json, String source) {
        return LongInput.parse(json.length, () -> parsed(json, source));
    }

    private static IgnitionJson parsed(byte[] json, String source) {
        JsonNode node;
        try {
            node = JSON.readTree(json);
        } catch (IOException unreadable) {
            // The parser's own message can quote the content, and the content holds secrets.
            throw new InvalidIgnitionException(
                    unreadable instanceof StreamConstraintsException
                            ? source
                                    + " is not JSON that can be read: it has too many values, or too many in one another"
                            : source + " is not JSON");
        }
        if (!(node instanceof ObjectNode object)) {
            throw new InvalidIgnitionException(source + " is not a JSON object");
        }
        JsonNode version = object.path("ignition").path("version");
        return new IgnitionJson(object, SpecVersion.parse(version.isTextual() ? version.textValue() : null, source));
    }

    public static IgnitionJson parse(String json, String source) {
        return parse(json.getBytes(StandardCharsets.UTF_8), source);
    }

    /** Whether the text is JSON, of whatever content. */
    public static boolean isJson(String text) {
        try {
            return !JSON.readTree(text).isMissingNode();
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Checks that assisted-service accepts the configuration as an override.
     *
     * @param oldest the oldest version that may be given
     * @throws InvalidIgnitionException if it is of an older version, or of a newer one than 3.2.0
     */
    public IgnitionJson requireOverrideVersion(SpecVersion oldest, String source) {
        if (version.compareTo(oldest) < 0 || version.compareTo(SpecVersion.NEWER_OVERRIDE) > 0) {
            throw new InvalidIgnitionException(
                    "%s has Ignition version %s: write it in version %s or %s, the only ones that assisted-service takes"
                            .formatted(source, version, SpecVersion.OLDER_OVERRIDE, SpecVersion.NEWER_OVERRIDE));
        }
        return this;
    }
}
