package io.capoa.runtime.health;

import io.capoa.runtime.failure.StartFailure;
import io.capoa.runtime.http.HttpAnswer;
import io.capoa.runtime.http.HttpCall;
import io.capoa.runtime.http.HttpLimits;
import io.capoa.runtime.http.HttpListener;
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

    /** For Prometheus, whose pages are longer. */
    public static final HttpLimits METRICS =
            new HttpLimits(16, HEAD_BYTES, A_SECOND, A_SECOND, Duration.ofSeconds(5), Duration.ZERO);

    /** Response of a path. */
    public record Answer(int status, String contentType, String body) {
        /** A plain text answer. */
        public static Answer text(int status, String body) {
            return new Answer(status, "text/plain; charset=utf-8", body);
        }
    }

    private final Map<String, Supplier<Answer>> paths = new ConcurrentHashMap<>();
    private final HttpListener listener;

    private Endpoint(BindAddress address, HttpLimits limits) throws IOException {
        listener = HttpListener.listen(
                "endpoint",
                address.socketAddress(),
                limits,
                SocketLayer.PLAIN,
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
        try {
            return new Endpoint(address, limits);
        } catch (IOException | RuntimeException e) {
            throw new StartFailure(
                    "Cannot listen on " + address + " (" + flag + "): " + e.getMessage()
                            + ". Choose another address, or 0 to switch it off.",
                    e);
        }
    }

    /** Answers GET and HEAD of exactly this path. */
    public Endpoint serve(String path, Supplier<Answer> answer) {
        paths.put(path, answer);
        return this;
    }

    /** The port that it listens on. */
    public int port() {
        return listener.port();
    }

    @Override
    public void close() {
        listener.close();
    }

    private HttpAnswer answer(HttpCall call) {
        Supplier<Answer> supplier = paths.get(call.path());
        if (supplier == null) {
            return HttpAnswer.text(404, "not found\n");
        }
        if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
            return HttpAnswer.text(405, "only GET and HEAD\n");
        }
        Answer answer = supplier.get();
        return new HttpAnswer(
                answer.status(), answer.contentType(), answer.body().getBytes(StandardCharsets.UTF_8), Map.of());
    }
}
