package io.capoa.runtime.connection;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Bounds what a list brings into memory, in bytes: objects may be as long as the API server stores, of kinds of others too. A
 * page that is too long is asked for again with fewer objects; a list that is not read in pages fails.
 */
final class BoundedPages implements Interceptor {

    private static final String LIMIT = "limit";
    private static final String CONTINUE = "continue";

    /** Of a page of more than one object. */
    private static final long PAGE_BYTES = 2 << 20;

    /** Of a list without pages: one by label or name, of few objects. */
    private static final long LIST_BYTES = 8 << 20;

    private static final int FEWER = 4;

    /** Objects of the latest page of a list that is being continued, by path. */
    private final Map<String, Integer> latest = new ConcurrentHashMap<>();

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        HttpUrl url = request.url();
        if (!RequestKind.of(request.method(), url.encodedPath(), url.queryParameter("watch"))
                .verb()
                .equals("list")) {
            return chain.proceed(request);
        }
        String limit = url.queryParameter(LIMIT);
        return limit == null ? whole(chain, request) : page(chain, request, Integer.parseInt(limit));
    }

    private static Response whole(Chain chain, Request request) throws IOException {
        Response response = chain.proceed(request);
        if (isLonger(response, LIST_BYTES)) {
            response.close();
            throw new IOException("the objects of %s take more than %d MiB: delete some, or what makes them long"
                    .formatted(request.url().encodedPath(), LIST_BYTES >> 20));
        }
        return response;
    }

    private Response page(Chain chain, Request request, int limit) throws IOException {
        String path = request.url().encodedPath();
        boolean continued = request.url().queryParameter(CONTINUE) != null;
        int objects = continued ? Math.min(limit, Objects.requireNonNullElse(latest.get(path), limit)) : limit;
        while (true) {
            Response response = chain.proceed(withLimit(request, objects));
            if (objects == 1 || !isLonger(response, PAGE_BYTES)) {
                latest.put(path, isLonger(response, PAGE_BYTES / 2) ? objects : objects * 2);
                return response;
            }
            response.close();
            objects = Math.max(1, objects / FEWER);
        }
    }

    /** Whether a body is longer; what it reads is kept for the reader of the response. */
    private static boolean isLonger(Response response, long bytes) throws IOException {
        return response.isSuccessful() && response.body().source().request(bytes + 1);
    }

    private static Request withLimit(Request request, int objects) {
        return request.newBuilder()
                .url(request.url()
                        .newBuilder()
                        .setQueryParameter(LIMIT, String.valueOf(objects))
                        .build())
                .build();
    }
}
