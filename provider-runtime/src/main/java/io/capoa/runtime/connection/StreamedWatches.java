package io.capoa.runtime.connection;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client whose watches are streams of the connection that all requests share. fabric8 watches by WebSockets, each of which
 * is a TCP connection with a TLS handshake, buffers, a thread and pings of its own: some twenty in a manager. Its own
 * alternative, {@code onlyHttpWatches}, reports a watch as begun before the API server has accepted it, and breaks characters
 * that arrive in two parts. Here fabric8 gets what looks to it like a WebSocket.
 *
 * <p>Pages of lists are read one after the other.
 */
final class StreamedWatches implements HttpClient {

    /** A page that takes longer than its request may, with its attempts, does not hold up others. */
    private static final Duration LONGEST_PAGE = Duration.ofMinutes(1);

    private final HttpClient client;
    private final Duration patience;
    private final Turns pages;

    /**
     * Watches through a client.
     *
     * @param patience until the API server has accepted a watch; fabric8 means to set it, and sets none
     */
    StreamedWatches(HttpClient client, Duration patience) {
        this(client, patience, new Turns(LONGEST_PAGE));
    }

    private StreamedWatches(HttpClient client, Duration patience, Turns pages) {
        this.client = client;
        this.patience = patience;
        this.pages = pages;
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return new Request(client, patience, client.newHttpRequestBuilder());
    }

    @Override
    public DerivedClientBuilder newBuilder() {
        return new Derived(client.newBuilder(), patience, pages);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
        return isPage(request) ? pages.take(() -> client.sendAsync(request, type)) : client.sendAsync(request, type);
    }

    /** Pages for caches: those of all caches at once, at a start, would be in memory together, with what is read of them. */
    private static boolean isPage(HttpRequest request) {
        String query = request.uri().getRawQuery();
        return query != null && query.contains("limit=") && request.method().equals("GET");
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
            HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        return client.consumeBytes(request, consumer);
    }

    @Override
    public HttpRequest.Builder newHttpRequestBuilder() {
        return client.newHttpRequestBuilder();
    }

    @Override
    public boolean isClosed() {
        return client.isClosed();
    }

    @Override
    public void close() {
        client.close();
    }

    /** A client that differs in an interceptor or a tag has the same watches. */
    private record Derived(DerivedClientBuilder builder, Duration patience, Turns pages)
            implements DerivedClientBuilder {

        @Override
        public HttpClient build() {
            return new StreamedWatches(builder.build(), patience, pages);
        }

        @Override
        public DerivedClientBuilder addOrReplaceInterceptor(String name, Interceptor interceptor) {
            return new Derived(builder.addOrReplaceInterceptor(name, interceptor), patience, pages);
        }

        @Override
        public DerivedClientBuilder authenticatorNone() {
            return new Derived(builder.authenticatorNone(), patience, pages);
        }

        @Override
        public DerivedClientBuilder tag(Object value) {
            return new Derived(builder.tag(value), patience, pages);
        }
    }

    /** The GET in place of a handshake. */
    private record Request(HttpClient client, Duration patience, HttpRequest.Builder request)
            implements WebSocket.Builder {

        @Override
        public CompletableFuture<WebSocket> buildAsync(WebSocket.Listener listener) {
            return WatchStream.open(client, request.forStreaming().build(), patience, listener);
        }

        @Override
        public WebSocket.Builder subprotocol(String protocol) {
            throw new UnsupportedOperationException("this client has no WebSockets, as " + protocol + " needs one");
        }

        @Override
        public WebSocket.Builder header(String name, String value) {
            request.header(name, value);
            return this;
        }

        @Override
        public WebSocket.Builder setHeader(String name, String value) {
            request.setHeader(name, value);
            return this;
        }

        @Override
        public WebSocket.Builder uri(URI uri) {
            request.uri(uri);
            return this;
        }

        @Override
        public WebSocket.Builder connectTimeout(long timeout, TimeUnit unit) {
            return this;
        }
    }
}
