package io.capoa.runtime.webhook;

import io.capoa.runtime.http.AddressRate;
import io.capoa.runtime.http.HttpAnswer;
import io.capoa.runtime.http.HttpCall;
import io.capoa.runtime.http.HttpLimits;
import io.capoa.runtime.http.HttpListener;
import io.capoa.runtime.http.MalformedCall;
import io.capoa.runtime.threads.VirtualThreads;
import io.capoa.runtime.tls.ServingTls;
import io.capoa.runtime.webhook.WebhookHandler.MalformedRequest;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

    /**
     * Bytes for the larger bodies and their answers, from when they are announced until the client has taken the answer:
     * an eighth of the heap of the shipped limits, of which each address can have half.
     */
    private static final int BODIES = 2 * (LARGEST_BODY + (1 << 20));

    /** Most that a body takes as a tree, for each of its bytes. */
    private static final int TREE = 32;

    /** The same with what is made of the tree. */
    private static final int WORK = 2 * TREE;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

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
    private static final int TOO_MANY = 429;

    private static final String REMEDY =
            "Install cert-manager, which makes the Secret with the webhooks' certificate, or"
                    + " make that Secret yourself (type kubernetes.io/tls); --webhook-port=0 serves no webhooks";

    private final Map<String, WebhookHandler> paths = new ConcurrentHashMap<>();
    private final Map<String, AddressRate> rates = new ConcurrentHashMap<>();
    private final ServingTls tls;
    private final boolean verifying;
    private final Clock clock;
    private final HttpListener listener;
    private final SharedRoom bodies = new SharedRoom(BODIES);

    /** For what is made of bodies while they are answered: a quarter of the heap. */
    private final SharedRoom work = new SharedRoom(Runtime.getRuntime().maxMemory() / 4);

    /** For the trees of those whose answers wait for other servers. */
    private final SharedRoom waiting = new SharedRoom(Runtime.getRuntime().maxMemory() / 8);

    /** Large bodies are no business of the threads that the reconciles share. */
    private final ExecutorService large = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("webhook-large-", 0).factory());

    private WebhookServer(InetSocketAddress address, ServingTls tls, boolean verifying, Clock clock)
            throws IOException {
        this.tls = tls;
        this.verifying = verifying;
        this.clock = clock;
        this.listener = HttpListener.listen(
                "webhooks", address, LIMITS, tls.layer(), VirtualThreads.numbered("webhook-"), this::answer);
    }

    /**
     * Listens; paths are added by {@link #serve} before or after.
     *
     * @param certificates folder of {@code tls.crt} and {@code tls.key}, which may appear and change at any time
     * @throws IOException when the address cannot be had
     */
    public static WebhookServer listen(InetSocketAddress address, Path certificates, Clock clock) throws IOException {
        return new WebhookServer(address, tls(certificates, clock), false, clock);
    }

    /**
     * The same, only for clients with a certificate, where their handler can have it.
     *
     * @param authorities file of those that sign certificates of clients, which may appear and change at any time
     */
    public static WebhookServer listen(InetSocketAddress address, Path certificates, Path authorities, Clock clock)
            throws IOException {
        return new WebhookServer(address, tls(certificates, clock).verifyingClients(authorities), true, clock);
    }

    private static ServingTls tls(Path certificates, Clock clock) {
        return ServingTls.ofFolder(certificates, "Webhooks", REMEDY, clock);
    }

    /** Answers POSTs of exactly this path. */
    public WebhookServer serve(String path, WebhookHandler handler) {
        if (handler.callsPerSecond() > 0) {
            Duration each = Duration.ofSeconds(1).dividedBy(handler.callsPerSecond());
            rates.put(path, new AddressRate(2 * handler.callsPerSecond(), each, clock));
        }
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
        large.shutdownNow();
    }

    private HttpAnswer answer(HttpCall call) throws IOException, MalformedCall {
        WebhookHandler handler = paths.get(call.path());
        if (handler == null) {
            return refusal(HttpURLConnection.HTTP_NOT_FOUND, "no webhook is served here");
        }
        if (!call.method().equals("POST")) {
            return HttpAnswer.text(HttpURLConnection.HTTP_BAD_METHOD, "only POST\n", Map.of("Allow", "POST"));
        }
        if (verifying && handler.verifiesClients() && !call.isVerified()) {
            return refusal(
                    HttpURLConnection.HTTP_UNAUTHORIZED,
                    "only clients with a certificate that an authority in --webhook-client-ca-file has signed");
        }
        AddressRate rate = rates.get(call.path());
        if (rate != null && !rate.take(call.address())) {
            return HttpAnswer.text(TOO_MANY, "too many calls of this address, try again\n", Map.of("Retry-After", "1"));
        }
        if (!isJson(call, handler)) {
            return refusal(UNSUPPORTED_TYPE, "only application/json");
        }
        long announced = call.contentLength().orElse(LARGEST_BODY);
        if (announced > LARGEST_BODY) {
            return refusal(TOO_LARGE, "a body may have " + LARGEST_BODY + " bytes");
        }
        try {
            return answer(call, handler, (int) announced);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refusal(HttpURLConnection.HTTP_UNAVAILABLE, "the manager is stopping");
        }
    }

    private HttpAnswer answer(HttpCall call, WebhookHandler handler, int announced)
            throws IOException, MalformedCall, InterruptedException {
        InetAddress client = call.address();
        if (announced > SMALL_BODY) {
            if (!bodies.take(client, announced, PATIENCE)) {
                return tooMuchAtOnce();
            }
            call.afterwards(() -> bodies.release(client, announced));
        }
        byte[] body = call.body(LARGEST_BODY);
        boolean waits = handler.waitsForOthers();
        SharedRoom room = waits ? waiting : work;
        long share = Math.min((long) body.length * (waits ? TREE : WORK), room.largest());
        if (!room.take(client, share, PATIENCE)) {
            return tooMuchAtOnce();
        }
        try {
            return body.length <= SMALL_BODY
                    ? answered(call.path(), body, handler)
                    : large.submit(() -> answered(call.path(), body, handler)).get();
        } catch (ExecutionException e) {
            throw new IOException(e);
        } finally {
            room.release(client, share);
        }
    }

    private static HttpAnswer tooMuchAtOnce() {
        return refusal(HttpURLConnection.HTTP_UNAVAILABLE, "too many calls at once, try again");
    }

    private static HttpAnswer answered(String path, byte[] body, WebhookHandler handler) {
        try {
            return new HttpAnswer(HttpURLConnection.HTTP_OK, "application/json", handler.answer(body), Map.of());
        } catch (MalformedRequest e) {
            return refusal(e.isTooLarge() ? TOO_LARGE : HttpURLConnection.HTTP_BAD_REQUEST, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("A call of webhook {} failed", path, e);
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
