package io.capoa.runtime.untrusted;

import java.io.IOException;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Follows a few redirects of read requests, never from HTTPS to HTTP, and sends credentials to the first host only.
 */
final class Redirects implements Interceptor {

    /** Registries that keep layers elsewhere need one or two. */
    static final int MOST = 5;

    private final boolean downgrade;

    /**
     * Follows redirects.
     *
     * @param downgrade whether they may lead from HTTPS to HTTP, because the user asked for no protection
     */
    Redirects(boolean downgrade) {
        this.downgrade = downgrade;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        for (int followed = 0; ; followed++) {
            Response response = chain.proceed(request);
            String location = response.isRedirect() ? response.header("Location") : null;
            if (location == null) {
                return response;
            }
            response.close();
            if (followed >= MOST) {
                throw new RefusedAnswerException("it redirects more than %d times".formatted(MOST));
            }
            request = next(request, request.url().resolve(location));
        }
    }

    private Request next(Request request, @Nullable HttpUrl url) throws RefusedAnswerException {
        if (url == null) {
            throw new RefusedAnswerException("it redirects to something that is not an http or https address");
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            throw new RefusedAnswerException("it redirects a request that sends credentials");
        }
        if (request.isHttps() && !url.isHttps() && !downgrade) {
            throw new RefusedAnswerException("it redirects from https to http, to " + url.host());
        }
        Request.Builder next = request.newBuilder().url(url);
        HttpUrl from = request.url();
        if (!url.host().equals(from.host())
                || url.port() != from.port()
                || !url.scheme().equals(from.scheme())) {
            next.removeHeader("Authorization");
        }
        return next.build();
    }
}
