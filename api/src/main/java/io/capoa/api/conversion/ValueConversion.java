package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * Converts the value of one field between an older version and v1beta1.
 *
 * <p>Neither method throws on a value that never was valid: {@code null} says that it has no counterpart, and the
 * conversion keeps it in an annotation. The value is not changed, and may be shared with the result.
 */
interface ValueConversion {

    /** The same value in both versions. */
    ValueConversion SAME = new ValueConversion() {
        @Override
        public JsonNode toHub(JsonNode older) {
            return older;
        }

        @Override
        public JsonNode toOlder(JsonNode hub) {
            return hub;
        }
    };

    @Nullable
    JsonNode toHub(JsonNode older);

    @Nullable
    JsonNode toOlder(JsonNode hub);
}
