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

/**
 * Measures the requests to the API server: {@code rest_client_requests_total} by verb, resource and
 * status code (0: no answer), {@code rest_client_request_duration_seconds} (to the answer's headers) by verb and
 * resource.
 */
final class RequestMeter implements Interceptor {

    private record Answered(RequestKind kind, int code) {}

    private final MeterRegistry meters;
    /** Cached, because looking a meter up costs more than recording. */
    private final Map<RequestKind, Timer> timers = new ConcurrentHashMap<>();

    private final Map<Answered, Counter> counters = new ConcurrentHashMap<>();

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
            return response;
        } finally {
            timers.computeIfAbsent(kind, this::timer).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            counters.computeIfAbsent(new Answered(kind, code), this::counter).increment();
        }
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
