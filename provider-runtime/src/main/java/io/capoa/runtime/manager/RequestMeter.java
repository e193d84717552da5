package io.capoa.runtime.manager;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Counts and times what the process asks of the API server: {@code rest_client_requests_total} by verb, resource and
 * status code (0: no answer), {@code rest_client_request_duration_seconds} (to the answer's headers) by verb and
 * resource.
 */
final class RequestMeter implements Interceptor {

    private final MeterRegistry meters;

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
            meters.timer("rest.client.request.duration", "verb", kind.verb(), "resource", kind.resource())
                    .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            meters.counter(
                            "rest.client.requests",
                            "verb",
                            kind.verb(),
                            "resource",
                            kind.resource(),
                            "code",
                            Integer.toString(code))
                    .increment();
        }
    }
}
