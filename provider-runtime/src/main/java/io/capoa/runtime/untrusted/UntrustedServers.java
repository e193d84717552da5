package io.capoa.runtime.untrusted;

import io.capoa.api.client.ClientCiphers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * Builds okhttp clients for untrusted servers. They use HTTP/1.1, because HTTP/2 frames have no limits of their own.
 * Callers must set {@code callTimeout}, the only limit for a response that trickles.
 */
public final class UntrustedServers {

    /** Bytes beyond the free share of each that all connections with a limited life may hold at once. */
    private static final int SHARED_BYTES = 16 << 20;

    private static final Semaphore SHARED = new Semaphore(SHARED_BYTES);

    private UntrustedServers() {}

    /**
     * For servers that are asked again and again: bounds each answer, and follows redirects.
     *
     * @param server what kind of server it is, for the metrics
     * @param usual for requests that carry no {@link AnswerLimit} of their own
     * @param downgrade whether redirects may lead from HTTPS to HTTP
     */
    public static OkHttpClient.Builder guard(
            OkHttpClient.Builder builder, String server, AnswerLimit usual, boolean downgrade) {
        builder.addInterceptor(new RequestCounter(server)).addInterceptor(new Redirects(downgrade));
        return common(builder, usual).socketFactory(GuardedSockets.ofLongLife());
    }

    /**
     * For a client that asks a few queries at a time: bounds each answer and all that one connection brings meanwhile, web
     * sockets included, and follows no redirects.
     *
     * @param sockets of this client alone; to be renewed after the queries if its connections are kept
     */
    public static OkHttpClient.Builder guardBriefly(
            OkHttpClient.Builder builder, AnswerLimit usual, GuardedSockets sockets) {
        return common(builder, usual).socketFactory(sockets);
    }

    /**
     * Sockets for a client that asks a few queries at a time.
     *
     * @param connection bytes that a connection may bring until it is renewed
     */
    public static GuardedSockets sockets(long connection) {
        return new GuardedSockets(connection, SHARED);
    }

    private static OkHttpClient.Builder common(OkHttpClient.Builder builder, AnswerLimit usual) {
        return builder.protocols(List.of(Protocol.HTTP_1_1))
                .connectionSpecs(ClientCiphers.CHEAP_FIRST)
                .followRedirects(false)
                .followSslRedirects(false)
                .addInterceptor(new BoundedAnswers(usual));
    }

    /**
     * Counts requests by what came of them.
     *
     * @param server what kind of server it is, such as {@code registry}
     */
    private record RequestCounter(String server) implements Interceptor {

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
}
