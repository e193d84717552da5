package io.capoa.runtime.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The response to a request.
 *
 * @param headers beside Content-Type, Content-Length and Connection
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
public record HttpAnswer(int status, String contentType, byte[] body, Map<String, String> headers) {

    /** Plain text. */
    public static HttpAnswer text(int status, String body) {
        return text(status, body, Map.of());
    }

    /** Plain text with more headers. */
    public static HttpAnswer text(int status, String body, Map<String, String> headers) {
        return new HttpAnswer(status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8), headers);
    }
}
