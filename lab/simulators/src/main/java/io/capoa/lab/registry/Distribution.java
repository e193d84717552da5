package io.capoa.lab.registry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.capoa.lab.controller.Delays;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pull part of the OCI distribution protocol, and a token service. */
final class Distribution implements HttpHandler {

    private static final Pattern PATH = Pattern.compile("/v2/(.+)/(manifests|blobs)/([^/]+)");

    private final BiFunction<String, String, Optional<SyntheticImage>> images;
    private final RegistryGuard access;
    private final Faults faults;
    private final RegistryRequests requests;
    private final Delays delays;
    private final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
    private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();

    Distribution(
            BiFunction<String, String, Optional<SyntheticImage>> images,
            RegistryGuard access,
            Faults faults,
            RegistryRequests requests,
            Delays delays) {
        this.images = images;
        this.access = access;
        this.faults = faults;
        this.requests = requests;
        this.delays = delays;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod(), path);
        try (exchange) {
            if (faults.isDown()) {
                // Closing without a response aborts the connection.
                return;
            }
            Thread.sleep(faults.delayOr(delays.get(Delays.Of.REGISTRY)));
            int status = faults.takeStatus();
            if (status != 0) {
                answer(exchange, status, "application/json", error("UNAVAILABLE"));
            } else if (path.equals("/token")) {
                token(exchange);
            } else {
                serve(exchange, path);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(HttpExchange exchange, String path) throws IOException {
        Matcher m = PATH.matcher(path);
        String repository = m.matches() ? m.group(1) : "";
        if (faults.isRefusing() || !access.allows(exchange.getRequestHeaders())) {
            exchange.getResponseHeaders().set("WWW-Authenticate", access.challenge(repository));
            answer(exchange, 401, "application/json", error("UNAUTHORIZED"));
        } else if (path.equals("/v2/")) {
            answer(exchange, 200, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
        } else if (!m.matches()) {
            answer(exchange, 404, "application/json", error("NAME_UNKNOWN"));
        } else if (m.group(2).equals("manifests")) {
            manifest(exchange, repository, m.group(3));
        } else {
            blob(exchange, m.group(3));
        }
    }

    /** Serves an image by its digest. */
    void serve(SyntheticImage image) {
        manifests.putAll(image.manifests());
        blobs.putAll(image.blobs());
    }

    private void manifest(HttpExchange exchange, String repository, String reference) throws IOException {
        String digest = reference;
        if (!reference.startsWith("sha256:")) {
            Optional<SyntheticImage> image = images.apply(repository, reference);
            if (image.isPresent()) {
                serve(image.get());
                digest = image.get().digest();
            }
        }
        byte[] content = manifests.get(digest);
        if (content == null) {
            answer(exchange, 404, "application/json", error("MANIFEST_UNKNOWN"));
            return;
        }
        boolean index = new String(content, StandardCharsets.UTF_8).contains("\"manifests\"");
        String type = index ? SyntheticImage.INDEX : SyntheticImage.MANIFEST;
        String accepted = String.join(",", exchange.getRequestHeaders().getOrDefault("Accept", List.of("*/*")));
        if (!accepted.contains(type) && !accepted.contains("*/*")) {
            answer(exchange, 406, "application/json", error("MANIFEST_UNKNOWN"));
            return;
        }
        exchange.getResponseHeaders().set("Docker-Content-Digest", digest);
        answer(exchange, 200, type, content);
    }

    private void blob(HttpExchange exchange, String digest) throws IOException {
        byte[] content = blobs.get(digest);
        if (content == null) {
            answer(exchange, 404, "application/json", error("BLOB_UNKNOWN"));
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
        exchange.sendResponseHeaders(200, content.length);
        if (faults.isTruncating()) {
            exchange.getResponseBody().write(content, 0, content.length / 2);
            exchange.getResponseBody().flush();
            return;
        }
        exchange.getResponseBody().write(content);
    }

    private void token(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readNBytes(1 << 16), StandardCharsets.UTF_8);
        String token = access.token(exchange.getRequestHeaders(), form);
        if (token == null) {
            answer(exchange, 401, "application/json", error("UNAUTHORIZED"));
        } else {
            answer(exchange, 200, "application/json", token.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static byte[] error(String code) {
        return "{\"errors\":[{\"code\":\"%s\"}]}".formatted(code).getBytes(StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] content) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
        }
        exchange.sendResponseHeaders(status, head ? -1 : content.length);
        if (!head) {
            exchange.getResponseBody().write(content);
        }
    }
}
