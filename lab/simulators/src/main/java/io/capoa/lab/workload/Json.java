package io.capoa.lab.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads and writes JSON objects as maps, and applies merge patches (RFC 7396). */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<LinkedHashMap<String, Object>> OBJECT = new TypeReference<>() {};

    private Json() {}

    /** Throws {@link IOException} if the text is not one JSON object. */
    public static Map<String, Object> parse(byte[] text) throws IOException {
        Map<String, Object> parsed = MAPPER.readValue(text, OBJECT);
        if (parsed == null) {
            throw new IOException("not a JSON object: null");
        }
        return parsed;
    }

    /** Throws {@link IOException} if the text is not one JSON object. */
    public static Map<String, Object> parse(String text) throws IOException {
        return parse(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** Throws {@link IOException} if the text is not JSON. */
    public static Object parseAny(String text) throws IOException {
        return MAPPER.readValue(text, Object.class);
    }

    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String text(Object value) {
        return new String(bytes(value), java.nio.charset.StandardCharsets.UTF_8);
    }

    /** A modifiable deep copy. */
    public static Map<String, Object> copy(Map<String, Object> object) {
        return MAPPER.convertValue(object, OBJECT);
    }

    /** Applies a merge patch to {@code target} in place: {@code null} removes, maps merge, the rest replaces. */
    @SuppressWarnings("unchecked")
    public static void merge(Map<String, Object> target, Map<String, Object> patch) {
        patch.forEach((key, value) -> {
            if (value == null) {
                target.remove(key);
            } else if (value instanceof Map<?, ?> map) {
                Object before = target.get(key);
                Map<String, Object> into =
                        before instanceof Map<?, ?> ? (Map<String, Object>) before : new LinkedHashMap<>();
                merge(into, (Map<String, Object>) map);
                target.put(key, into);
            } else {
                target.put(key, value);
            }
        });
    }
}
