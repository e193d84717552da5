package io.capoa.lab.assisted;

import com.sun.net.httpserver.HttpExchange;
import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Query parameters and JSON replies of the service's HTTP API. */
final class Replies {

    private Replies() {}

    static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            int at = pair.indexOf('=');
            if (at > 0) {
                query.put(pair.substring(0, at), URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    static void fail(HttpExchange exchange, int code, String reason) throws IOException {
        send(exchange, code, Json.bytes(Map.of("code", Integer.toString(code), "kind", "Error", "reason", reason)));
    }

    static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }
}
