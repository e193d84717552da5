package io.capoa.lab.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.lab.cluster.ClusterException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page on loopback, read-only: the document, its style and script from the jar, the state as JSON, and every
 * change of it as a server-sent event.
 */
public final class PageServer implements AutoCloseable {

    private static final Duration BETWEEN_STATES = Duration.ofMillis(500);
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** What depends on the time alone, such as the age of a Lease, is seen after this. */
    private static final Duration WITHOUT_CHANGE = Duration.ofSeconds(5);

    private static final int MOST_LISTENERS = 32;
    /** Names of this machine, with any port: a tunnel may have another one. */
    private static final Pattern LOOPBACK = Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, String> FILES =
            Map.of("/", "page.html", "/page.css", "page.css", "/page.js", "page.js", "/icon.svg", "icon.svg");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /** Nothing from elsewhere, no markup with script or style in it, and no text that a script turns into markup. */
    private static final String SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'";

    private final PageReader reader;
    private final HttpServer server;
    private final Semaphore listeners = new Semaphore(MOST_LISTENERS);
    private final Thread refresher;
    private final Object lock = new Object();
    private boolean changed = true;
    private boolean closed;
    private byte[] state = {};
    private long version;

    private PageServer(PageReader reader, HttpServer server) {
        this.reader = reader;
        this.server = server;
        this.refresher = Thread.ofVirtual().name("page").unstarted(this::refresh);
    }

    /**
     * Watches and serves until it is closed.
     *
     * @param reader closed with the server
     * @param port 0 for a free one
     * @throws ClusterException when the port is taken
     */
    public static PageServer open(PageReader reader, int port) {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 0);
            PageServer page = new PageServer(reader, http);
            http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            http.createContext("/", page::answer);
            reader.start(page::changed);
            page.refresher.start();
            http.start();
            return page;
        } catch (IOException e) {
            reader.close();
            throw new ClusterException(
                    "Cannot serve the page on port %d of 127.0.0.1: %s. Choose another port."
                            .formatted(port, e.getMessage()),
                    e);
        }
    }

    /** Address for a browser on this machine. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private void changed() {
        synchronized (lock) {
            changed = true;
            lock.notifyAll();
        }
    }

    private void refresh() {
        try {
            boolean touched = false;
            while (true) {
                synchronized (lock) {
                    if (!changed && !closed) {
                        lock.wait(WITHOUT_CHANGE.toMillis());
                    }
                    if (closed) {
                        return;
                    }
                    touched |= changed;
                    changed = false;
                }
                byte[] now = JSON.writeValueAsBytes(reader.state());
                synchronized (lock) {
                    boolean same = Arrays.equals(now, state);
                    state = same ? state : now;
                    if (touched || !same) {
                        version++;
                        lock.notifyAll();
                    }
                    touched = false;
                }
                Thread.sleep(BETWEEN_STATES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a state can be written", e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Security-Policy", SECURITY_POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cache-Control", "no-store");
            String path = exchange.getRequestURI().getPath();
            if (!LOOPBACK.matcher(String.valueOf(exchange.getRequestHeaders().getFirst("Host")))
                    .matches()) {
                // A name from elsewhere that was made to lead here.
                send(exchange, 403, "text/plain", "open " + address() + "\n");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, "text/plain", "only GET\n");
            } else if (path.equals("/state")) {
                send(exchange, 200, "application/json", state());
            } else if (path.equals("/object")) {
                object(exchange);
            } else if (path.equals("/events")) {
                follow(exchange);
            } else if (FILES.containsKey(path)) {
                file(exchange, FILES.get(path));
            } else {
                send(exchange, 404, "text/plain", "not found\n");
            }
        }
    }

    private byte[] state() {
        synchronized (lock) {
            return state;
        }
    }

    private static void file(HttpExchange exchange, String name) throws IOException {
        try (InputStream content = Objects.requireNonNull(PageServer.class.getResourceAsStream(name), name)) {
            String type = Objects.requireNonNull(TYPES.get(name.substring(name.indexOf('.') + 1)), name);
            send(exchange, 200, type, content.readAllBytes());
        }
    }

    /** What the object {@code ?Kind/namespace/name} opens to. */
    private void object(HttpExchange exchange) throws IOException {
        String[] ref = String.valueOf(exchange.getRequestURI().getQuery()).split("/", -1);
        Optional<Detail> detail =
                ref.length == 3 ? reader.detail(new Detail.Ref(ref[0], ref[1], ref[2])) : Optional.empty();
        if (detail.isPresent()) {
            send(exchange, 200, "application/json", JSON.writeValueAsBytes(detail.get()));
        } else {
            send(exchange, 404, "text/plain", "There is no such object, or the page does not show its kind.\n");
        }
    }

    /**
     * Sends the state, and again after each change, until the browser leaves; {@code touched} if only what an object opens
     * to can have changed.
     */
    private void follow(HttpExchange exchange) throws IOException {
        if (!listeners.tryAcquire()) {
            send(exchange, 503, "text/plain", "too many browsers, close one\n");
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            long seen = 0;
            byte @Nullable [] sent = null;
            while (true) {
                byte[] next;
                boolean news;
                synchronized (lock) {
                    if (version == seen && !closed) {
                        lock.wait(HEARTBEAT.toMillis());
                    }
                    if (closed) {
                        return;
                    }
                    next = state;
                    news = version != seen;
                    seen = version;
                }
                boolean same = Arrays.equals(next, sent);
                out.write((!news ? ":" : same ? "event: touched\ndata:" : "data: ").getBytes(StandardCharsets.UTF_8));
                out.write(news && !same ? next : new byte[0]);
                out.write("\n\n".getBytes(StandardCharsets.UTF_8));
                out.flush();
                sent = news ? next : sent;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listeners.release();
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        send(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        server.stop(0);
        reader.close();
    }
}
