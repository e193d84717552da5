package io.capoa.runtime.manager;

import io.capoa.runtime.http.HttpAnswer;
import io.capoa.runtime.http.HttpCall;
import io.capoa.runtime.http.HttpLimits;
import io.capoa.runtime.http.HttpListener;
import io.capoa.runtime.http.SocketLayer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A small HTTP server, one for the probes and one for the metrics. Requests have threads of the operating system, so
 * that reconciles, which have virtual ones, cannot keep a probe waiting.
 */
final class Endpoint implements AutoCloseable {

    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final int HEAD_BYTES = 8 << 10;

    /** For the kubelet, which sends its request at once. */
    static final HttpLimits PROBES = new HttpLimits(64, HEAD_BYTES, A_SECOND, A_SECOND, A_SECOND, Duration.ZERO);

    /** For Prometheus: its pages are longer. */
    static final HttpLimits METRICS =
            new HttpLimits(16, HEAD_BYTES, A_SECOND, A_SECOND, Duration.ofSeconds(5), Duration.ZERO);

    /** What a path answers. */
    record Answer(int status, String contentType, String body) {
        static Answer text(int status, String body) {
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
     * Binds; paths are added by {@link #serve} before or after.
     *
     * @param flag the flag that says where, for the sentence when the address cannot be had
     * @throws StartFailure when it cannot listen there
     */
    static Endpoint listen(BindAddress address, String flag, HttpLimits limits) {
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
    Endpoint serve(String path, Supplier<Answer> answer) {
        paths.put(path, answer);
        return this;
    }

    int port() {
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
