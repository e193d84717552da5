package io.capoa.runtime.connection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Okio;

/**
 * Measures the requests to the API server: {@code rest_client_requests_total} by verb, resource and
 * status code (0: no answer), {@code rest_client_request_duration_seconds} (to the answer's headers) and {@code
 * capoa_rest_client_received_bytes_total} (of bodies, those of watches included) by verb and resource.
 */
final class RequestMeter implements Interceptor {

    private record Answered(RequestKind kind, int code) {}

    private final MeterRegistry meters;
    /** Cached, because looking a meter up costs more than recording. */
    private final Map<RequestKind, Timer> timers = new ConcurrentHashMap<>();

    private final Map<Answered, Counter> counters = new ConcurrentHashMap<>();
    private final Map<RequestKind, Counter> received = new ConcurrentHashMap<>();

    RequestMeter(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        var request = chain.request();
        var kind = RequestKind.of(
                request.method(), request.url().encodedPath(), request.url().queryParameter("watch"));
        long start = System.nanoTime();
        int code = 0;
        try {
            var response = chain.proceed(request);
            code = response.code();
            return metered(response, received.computeIfAbsent(kind, this::bytes));
        } finally {
            timers.computeIfAbsent(kind, this::timer).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            counters.computeIfAbsent(new Answered(kind, code), this::counter).increment();
        }
    }

    private static Response metered(Response response, Counter bytes) {
        var body = new ForwardingSource(response.body().source()) {
            @Override
            public long read(Buffer sink, long byteCount) throws IOException {
                long read = super.read(sink, byteCount);
                bytes.increment((double) Math.max(read, 0));
                return read;
            }
        };
        return response.newBuilder()
                .body(ResponseBody.create(
                        Okio.buffer(body),
                        response.body().contentType(),
                        response.body().contentLength()))
                .build();
    }

    private Counter bytes(RequestKind kind) {
        return meters.counter("capoa.rest.client.received.bytes", "verb", kind.verb(), "resource", kind.resource());
    }

    private Timer timer(RequestKind kind) {
        return meters.timer("rest.client.request.duration", "verb", kind.verb(), "resource", kind.resource());
    }

    private Counter counter(Answered answered) {
        RequestKind kind = answered.kind();
        return meters.counter(
                "rest.client.requests",
                "verb",
                kind.verb(),
                "resource",
                kind.resource(),
                "code",
                Integer.toString(answered.code()));
    }
}
