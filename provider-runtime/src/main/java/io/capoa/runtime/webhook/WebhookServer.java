package io.capoa.runtime.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import io.capoa.runtime.webhook.WebhookHandler.MalformedRequest;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTPS server that API servers call. It listens also while there is no certificate: calls fail in the handshake
 * then, and succeed as soon as the files are there.
 */
public final class WebhookServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

    /** As much as controller-runtime takes: an API server sends an object twice, and takes 3 MiB of it at most. */
    static final int LARGEST_BODY = 7 << 20;

    /** Bytes for the bodies of all calls at once; a call that finds no room waits for it. */
    private static final int ROOM = LARGEST_BODY + (1 << 20);

    private static final int SMALLEST_SHARE = 16 << 10;
    private static final int PATIENCE_SECONDS = 5;

    private static final int TOO_LARGE = 413;
    private static final int UNSUPPORTED_TYPE = 415;

    private final HttpsServer server;
    private final ExecutorService threads;
    private final CertificateFolder certificates;
    private final Semaphore room = new Semaphore(ROOM);

    private WebhookServer(HttpsServer server, CertificateFolder certificates) {
        this.server = server;
        this.certificates = certificates;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("webhook-", 0).factory());
    }

    /**
     * Listens; paths are added by {@link #serve} before or after.
     *
     * @param certificates folder of {@code tls.crt} and {@code tls.key}, which may appear and change at any time
     * @throws IOException when the address cannot be had
     */
    public static WebhookServer listen(InetSocketAddress address, Path certificates, Clock clock) throws IOException {
        ServerLimits.apply();
        CertificateFolder folder = new CertificateFolder(certificates, clock);
        WebhookServer webhooks = new WebhookServer(HttpsServer.create(address, 0), folder);
        webhooks.server.setHttpsConfigurator(new Intermediate(context(folder)));
        webhooks.server.setExecutor(webhooks.threads);
        webhooks.server.start();
        return webhooks;
    }

    /** Answers POSTs of exactly this path. */
    public WebhookServer serve(String path, WebhookHandler handler) {
        server.createContext(path, exchange -> respond(exchange, path, handler));
        return this;
    }

    /** The port, where a free one was asked for. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** Why nobody can call, and what to do; empty when all is well. */
    public Optional<String> problem() {
        return certificates.problem();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static SSLContext context(CertificateFolder folder) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new CertificateChoice(folder)}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private void respond(HttpExchange exchange, String path, WebhookHandler handler) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals(path)) {
                refuse(exchange, HttpURLConnection.HTTP_NOT_FOUND, "no webhook is served here");
            } else if (!exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Allow", "POST");
                refuse(exchange, HttpURLConnection.HTTP_BAD_METHOD, "only POST");
            } else if (!isJson(exchange)) {
                refuse(exchange, UNSUPPORTED_TYPE, "only application/json");
            } else {
                inRoom(exchange, handler);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void inRoom(HttpExchange exchange, WebhookHandler handler) throws IOException, InterruptedException {
        long said = contentLength(exchange);
        if (said > LARGEST_BODY) {
            refuse(exchange, TOO_LARGE, "a body may have " + LARGEST_BODY + " bytes");
            return;
        }
        int share = said < 0 ? LARGEST_BODY : Math.max((int) said, SMALLEST_SHARE);
        if (!room.tryAcquire(share, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            refuse(exchange, HttpURLConnection.HTTP_UNAVAILABLE, "too many calls at once, try again");
            return;
        }
        try {
            byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
            if (body.length > LARGEST_BODY) {
                refuse(exchange, TOO_LARGE, "a body may have " + LARGEST_BODY + " bytes");
                return;
            }
            send(exchange, HttpURLConnection.HTTP_OK, "application/json", handler.answer(body));
        } catch (MalformedRequest e) {
            refuse(exchange, HttpURLConnection.HTTP_BAD_REQUEST, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("A call of webhook {} failed", exchange.getRequestURI().getPath(), e);
            refuse(exchange, HttpURLConnection.HTTP_INTERNAL_ERROR, "the webhook failed; its manager's log has more");
        } finally {
            room.release(share);
        }
    }

    private static boolean isJson(HttpExchange exchange) {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
    }

    /** Negative when the body comes in chunks. */
    private static long contentLength(HttpExchange exchange) {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        try {
            return length == null ? -1 : Long.parseLong(length.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static void refuse(HttpExchange exchange, int status, @org.jspecify.annotations.Nullable String why)
            throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
