package io.capoa.runtime.connection;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.io.EOFException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import okio.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a watch, a line for each event, in the form of a WebSocket that only receives: a message for each line, the
 * next one when it has been requested.
 */
final class WatchStream implements WebSocket {

    /** The code by which a WebSocket ends as planned (RFC 6455). */
    private static final int NORMAL = 1000;

    private final Listener listener;

    /** What was read and not delivered; guarded by this. */
    private final Buffer read = new Buffer();

    /** Up to where there is no end of a line; guarded by this. */
    private long searched;

    /** Whether the listener waits for a message; guarded by this. */
    private boolean requested = true;

    private volatile @Nullable AsyncBody body;

    WatchStream(Listener listener) {
        this.listener = listener;
    }

    /**
     * Sends the request of a watch. The future fails as that of a WebSocket does: with
     * {@link WebSocketHandshakeException} if the API server refuses, otherwise with what prevented an answer.
     *
     * @param patience until the headers of the answer
     */
    static CompletableFuture<WebSocket> open(
            HttpClient client, HttpRequest request, Duration patience, Listener listener) {
        WatchStream stream = new WatchStream(listener);
        CompletableFuture<HttpResponse<AsyncBody>> answer =
                client.consumeBytes(request, (bytes, from) -> stream.received(bytes));
        CompletableFuture<HttpResponse<AsyncBody>> inTime =
                answer.copy().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<WebSocket> opened = new CompletableFuture<>();
        var unused = inTime.whenComplete((response, failure) -> {
            if (failure != null) {
                abandon(answer);
                opened.completeExceptionally(cause(failure));
            } else if (response.isSuccessful()) {
                stream.begin(response.body(), opened);
            } else {
                response.body().cancel();
                opened.completeExceptionally(refusal(request, response));
            }
        });
        return opened;
    }

    /** An answer that comes later is not used. */
    private static void abandon(CompletableFuture<HttpResponse<AsyncBody>> answer) {
        var unused = answer.thenAccept(late -> late.body().cancel());
    }

    /** On 503 fabric8 would try its own watch over HTTP; as a failure of the connection it is tried again instead. */
    private static IOException refusal(HttpRequest request, HttpResponse<AsyncBody> response) {
        return response.code() == HttpURLConnection.HTTP_UNAVAILABLE
                ? new IOException("the API server answers a watch with 503 Service Unavailable")
                : new WebSocketHandshakeException(
                        new WebSocketUpgradeResponse(request, response.code(), response.headers()));
    }

    private void begin(AsyncBody answer, CompletableFuture<WebSocket> opened) {
        body = answer;
        listener.onOpen(this);
        if (!opened.complete(this)) {
            answer.cancel();
            return;
        }
        var unused = answer.done().whenComplete((done, failure) -> end(failure == null ? null : cause(failure)));
        answer.consume();
    }

    void received(List<ByteBuffer> bytes) throws IOException {
        synchronized (this) {
            for (ByteBuffer part : bytes) {
                read.write(part);
            }
        }
        deliver();
    }

    @Override
    public void request() {
        synchronized (this) {
            requested = true;
        }
        deliver();
    }

    private void deliver() {
        String line;
        synchronized (this) {
            if (!requested) {
                return;
            }
            line = line();
            requested = line == null;
        }
        AsyncBody from = body;
        if (line != null) {
            listener.onMessage(this, line);
        } else if (from != null) {
            from.consume();
        }
    }

    /** The next whole line without its end; only whole lines are decoded, because a part may end within a character. */
    private @Nullable String line() {
        long end = read.indexOf((byte) '\n', searched);
        searched = end < 0 ? read.size() : 0;
        if (end < 0) {
            return null;
        }
        try {
            String line = read.readUtf8(end);
            read.skip(1);
            return line;
        } catch (IOException e) {
            throw new IllegalStateException("a buffer in memory", e);
        }
    }

    private void end(@Nullable Throwable failure) {
        if (failure == null && isWithinLine()) {
            listener.onError(this, new EOFException("the answer to a watch ends within an event"));
        } else if (failure == null || failure instanceof CancellationException) {
            listener.onClose(this, NORMAL, "");
        } else {
            listener.onError(this, failure);
        }
    }

    private synchronized boolean isWithinLine() {
        return read.size() > 0;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @Override
    public boolean send(ByteBuffer buffer) {
        return false;
    }

    @Override
    public boolean sendClose(int code, @Nullable String reason) {
        AsyncBody from = body;
        if (from == null || from.done().isDone()) {
            return false;
        }
        from.cancel();
        return true;
    }

    @Override
    public long queueSize() {
        return 0;
    }
}
