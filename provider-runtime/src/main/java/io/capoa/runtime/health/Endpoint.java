package io.capoa.runtime.health;

import io.capoa.runtime.access.ReviewedAccess;
import io.capoa.runtime.failure.StartFailure;
import io.capoa.runtime.http.HttpAnswer;
import io.capoa.runtime.http.HttpCall;
import io.capoa.runtime.http.HttpLimits;
import io.capoa.runtime.http.HttpListener;
import io.capoa.runtime.http.MalformedCall;
import io.capoa.runtime.http.SocketLayer;
import io.capoa.runtime.options.BindAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A small HTTP server, one for the probes and one for the metrics. It uses platform threads, so that reconciles on virtual
 * threads cannot delay a probe.
 */
public final class Endpoint implements AutoCloseable {

    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final int HEAD_BYTES = 8 << 10;

    /** For the kubelet, which sends its request at once. */
    public static final HttpLimits PROBES = new HttpLimits(64, HEAD_BYTES, A_SECOND, A_SECOND, A_SECOND, Duration.ZERO);

    /** For Prometheus, whose pages are longer, and which may have to shake hands. */
    public static final HttpLimits METRICS =
            new HttpLimits(16, HEAD_BYTES, Duration.ofSeconds(3), A_SECOND, Duration.ofSeconds(5), Duration.ZERO);

    /** Response of a path. */
    public record Response(int status, String contentType, String body) {
        /** A plain text answer. */
        public static Response text(int status, String body) {
            return new Response(status, "text/plain; charset=utf-8", body);
        }
    }

    /** Answers the requests of one path and method. */
    @FunctionalInterface
    public interface Page {

        /**
         * Answers one request.
         *
         * @throws MalformedCall when the body is too long or broken
         */
        Response answer(HttpCall call) throws IOException, MalformedCall;
    }

    private final Map<String, Page> paths = new ConcurrentHashMap<>();
    private final Map<String, Page> changes = new ConcurrentHashMap<>();
    private final HttpListener listener;

    private Endpoint(BindAddress address, HttpLimits limits, SocketLayer layer) throws IOException {
        listener = HttpListener.listen(
                "endpoint",
                address.socketAddress(),
                limits,
                layer,
                Thread.ofPlatform().daemon().name("endpoint-", 0).factory(),
                this::answer);
    }

    /**
     * Listens on an address; {@link #serve} adds the paths.
     *
     * @param flag that the address comes from, for the error message
     * @throws StartFailure if it cannot listen there
     */
    public static Endpoint listen(BindAddress address, String flag, HttpLimits limits) {
        return listen(address, flag, limits, SocketLayer.PLAIN);
    }

    /** The same with another layer below HTTP. */
    public static Endpoint listen(BindAddress address, String flag, HttpLimits limits, SocketLayer layer) {
        try {
            return new Endpoint(address, limits, layer);
        } catch (IOException | RuntimeException e) {
            throw new StartFailure(
                    "Cannot listen on " + address + " (" + flag + "): " + e.getMessage()
                            + ". Choose another address, or 0 to switch it off.",
                    e);
        }
    }

    /** Answers GET and HEAD of exactly this path. */
    public Endpoint serve(String path, Supplier<Response> answer) {
        paths.put(path, call -> answer.get());
        return this;
    }

    /** The same, for those who may: others are answered with 401, 403, 429, or 503 where that is not known. */
    public Endpoint serve(String path, ReviewedAccess access, Supplier<Response> answer) {
        paths.put(path, reviewed(path, "get", access, call -> answer.get()));
        return this;
    }

    /** Answers PUT of exactly this path, for those who may. */
    public Endpoint change(String path, ReviewedAccess access, Page answer) {
        changes.put(path, reviewed(path, "put", access, answer));
        return this;
    }

    private static Page reviewed(String path, String verb, ReviewedAccess access, Page answer) {
        return call -> switch (access.review(call.address(), call.header("authorization"), path, verb)) {
            case ALLOWED -> answer.answer(call);
            case UNAUTHENTICATED -> Response.text(401, "send the bearer token of a user that the API server knows\n");
            case FORBIDDEN ->
                Response.text(403, "the token's user lacks verb " + verb + " on nonResourceURL " + path + "\n");
            case TOO_MANY ->
                Response.text(429, "too many tokens of this address were refused, try again in a minute\n");
            case UNKNOWN -> Response.text(503, "the API server cannot be asked for the right, try again\n");
        };
    }

    /** The port that it listens on. */
    public int port() {
        return listener.port();
    }

    @Override
    public void close() {
        listener.close();
    }

    private HttpAnswer answer(HttpCall call) throws IOException, MalformedCall {
        boolean reads = call.method().equals("GET") || call.method().equals("HEAD");
        Page page = (call.method().equals("PUT") ? changes : paths).get(call.path());
        if (page == null && !paths.containsKey(call.path()) && !changes.containsKey(call.path())) {
            return HttpAnswer.text(404, "not found\n");
        }
        if (page == null || !(reads || call.method().equals("PUT"))) {
            return HttpAnswer.text(
                    405, changes.containsKey(call.path()) ? "only GET, HEAD and PUT\n" : "only GET and HEAD\n");
        }
        Response answer = page.answer(call);
        return new HttpAnswer(
                answer.status(), answer.contentType(), answer.body().getBytes(StandardCharsets.UTF_8), Map.of());
    }
}
