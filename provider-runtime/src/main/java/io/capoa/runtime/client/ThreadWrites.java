package io.capoa.runtime.client;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;

/** Counts the writes that each thread sends to the API server; the client calls it on the thread that writes. */
public final class ThreadWrites implements Interceptor {

    /** The name under which the client knows this interceptor. */
    public static final String NAME = "THREAD_WRITES";

    private static final ThreadLocal<Long> SENT = ThreadLocal.withInitial(() -> 0L);

    /** The writes that this thread has sent since it began, also those that were refused. */
    public static long sent() {
        return SENT.get();
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        if (isWrite(request.method(), request.uri())) {
            SENT.set(SENT.get() + 1);
        }
    }

    /** Reviews and dry runs store nothing. */
    static boolean isWrite(String method, URI uri) {
        String query = uri.getRawQuery();
        return !method.equals("GET")
                && !uri.getRawPath().contains("/apis/authorization.k8s.io/")
                && !uri.getRawPath().contains("/apis/authentication.k8s.io/")
                && (query == null || !query.contains("dryRun="));
    }
}
