package io.capoa.runtime.untrusted;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Counts requests by what came of them.
 *
 * @param server what kind of server it is, such as {@code registry}
 */
record RequestCounter(String server) implements Interceptor {

    @Override
    public Response intercept(Chain chain) throws IOException {
        int code = 0;
        try {
            Response response = chain.proceed(chain.request());
            code = response.code();
            return response;
        } finally {
            Counter.builder("capoa.server.requests")
                    .description("Requests to servers outside of the management cluster, by the answer's status")
                    .tags("server", server, "code", Integer.toString(code))
                    .register(Metrics.globalRegistry)
                    .increment();
        }
    }
}
