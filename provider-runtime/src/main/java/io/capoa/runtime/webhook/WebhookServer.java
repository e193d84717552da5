package io.capoa.runtime.webhook;

import io.capoa.runtime.http.HttpAnswer;
import io.capoa.runtime.http.HttpCall;
import io.capoa.runtime.http.HttpLimits;
import io.capoa.runtime.http.HttpListener;
import io.capoa.runtime.http.MalformedCall;
import io.capoa.runtime.tls.ServingTls;
import io.capoa.runtime.webhook.WebhookHandler.MalformedRequest;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTPS server for calls of the API server and of Cluster API. It listens even without a certificate: calls then fail in the
 * handshake, and succeed once the files exist.
 */
public final class WebhookServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

    /** As much as controller-runtime takes: an API server sends an object twice, and takes 3 MiB of it at most. */
    static final int LARGEST_BODY = 7 << 20;

    /** A body up to this size waits for no room: the connections that there may be hold 8 MiB of such bodies. */
    private static final int SMALL_BODY = 32 << 10;

    /** Bytes for the larger bodies of all calls at once; a call that finds no room waits for it. */
    private static final int ROOM = LARGEST_BODY + (1 << 20);

    private static final int PATIENCE_SECONDS = 5;

    /**
     * An API server speaks HTTP/1.1 with as many connections as calls are under way, keeps some of them, and closes an
     * idle one after 90 s, before this side does.
     */
    private static final HttpLimits LIMITS = new HttpLimits(
            256,
            16 << 10,
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(120));

    private static final int UNSUPPORTED_TYPE = 415;
    private static final int TOO_LARGE = 413;

    private static final String REMEDY =
            "Install cert-manager, which makes the Secret with the webhooks' certificate, or"
                    + " make that Secret yourself (type kubernetes.io/tls); --webhook-port=0 serves no webhooks";

    private final Map<String, WebhookHandler> paths = new ConcurrentHashMap<>();
    private final ServingTls tls;
    private final HttpListener listener;
    private final Semaphore room = new Semaphore(ROOM);

    private WebhookServer(InetSocketAddress address, ServingTls tls) throws IOException {
        this.tls = tls;
        this.listener = HttpListener.listen(
                "webhooks",
                address,
                LIMITS,
                tls.layer(),
                Thread.ofVirtual().name("webhook-", 0).factory(),
                this::answer);
    }

    /**
     * Listens; paths are added by {@link #serve} before or after.
     *
     * @param certificates folder of {@code tls.crt} and {@code tls.key}, which may appear and change at any time
     * @throws IOException when the address cannot be had
     */
    public static WebhookServer listen(InetSocketAddress address, Path certificates, Clock clock) throws IOException {
        return new WebhookServer(address, ServingTls.ofFolder(certificates, "Webhooks", REMEDY, clock));
    }

    /** Answers POSTs of exactly this path. */
    public WebhookServer serve(String path, WebhookHandler handler) {
        paths.put(path, handler);
        return this;
    }

    /** The port, where a free one was asked for. */
    public int port() {
        return listener.port();
    }

    /** Why calls fail, and the remedy; empty if they succeed. */
    public Optional<String> problem() {
        return tls.problem();
    }

    @Override
    public void close() {
        listener.close();
    }

    private HttpAnswer answer(HttpCall call) throws IOException, MalformedCall {
        WebhookHandler handler = paths.get(call.path());
        if (handler == null) {
            return refusal(HttpURLConnection.HTTP_NOT_FOUND, "no webhook is served here");
        }
        if (!call.method().equals("POST")) {
            return HttpAnswer.text(HttpURLConnection.HTTP_BAD_METHOD, "only POST\n", Map.of("Allow", "POST"));
        }
        if (!isJson(call, handler)) {
            return refusal(UNSUPPORTED_TYPE, "only application/json");
        }
        long announced = call.contentLength().orElse(LARGEST_BODY);
        if (announced > LARGEST_BODY) {
            return refusal(TOO_LARGE, "a body may have " + LARGEST_BODY + " bytes");
        }
        return announced <= SMALL_BODY ? answered(call, handler) : inRoom(call, handler, (int) announced);
    }

    private HttpAnswer inRoom(HttpCall call, WebhookHandler handler, int share) throws IOException, MalformedCall {
        try {
            if (!room.tryAcquire(share, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return refusal(HttpURLConnection.HTTP_UNAVAILABLE, "too many calls at once, try again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refusal(HttpURLConnection.HTTP_UNAVAILABLE, "the manager is stopping");
        }
        try {
            return answered(call, handler);
        } finally {
            room.release(share);
        }
    }

    private static HttpAnswer answered(HttpCall call, WebhookHandler handler) throws IOException, MalformedCall {
        byte[] body = call.body(LARGEST_BODY);
        try {
            return new HttpAnswer(HttpURLConnection.HTTP_OK, "application/json", handler.answer(body), Map.of());
        } catch (MalformedRequest e) {
            return refusal(HttpURLConnection.HTTP_BAD_REQUEST, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("A call of webhook {} failed", call.path(), e);
            return refusal(HttpURLConnection.HTTP_INTERNAL_ERROR, "the webhook failed; its manager's log has more");
        }
    }

    private static boolean isJson(HttpCall call, WebhookHandler handler) {
        return call.header("content-type")
                .map(type -> type.split(";", 2)[0].strip().equalsIgnoreCase("application/json"))
                .orElse(handler.acceptsUntypedBodies());
    }

    private static HttpAnswer refusal(int status, @Nullable String why) {
        return HttpAnswer.text(status, why + "\n");
    }
}
