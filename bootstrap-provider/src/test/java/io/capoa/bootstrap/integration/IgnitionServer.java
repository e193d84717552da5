package io.capoa.bootstrap.integration;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Serves discovery ignitions as assisted-service does, and records requests. */
public final class IgnitionServer implements AutoCloseable {

    static final String IGNITION = "{ \"ignition\": {\"version\": \"3.1.0\"}, \"unknown\": 1 }";

    /** Response to every path. */
    volatile String answer = IGNITION;

    volatile int status = 200;

    /** Required token; empty to accept any. */
    volatile String token = "";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();

    public IgnitionServer() {
        this(null);
    }

    /** Serves TLS if a context is given. */
    IgnitionServer(@Nullable SSLContext tls) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try {
            if (tls == null) {
                server = HttpServer.create(address, 0);
            } else {
                HttpsServer secured = HttpsServer.create(address, 0);
                secured.setHttpsConfigurator(new HttpsConfigurator(tls));
                server = secured;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::serve);
        server.setExecutor(threads);
        server.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestURI().toString());
        try (exchange) {
            CountDownLatch latch = held.get(path);
            if (latch != null) {
                latch.await();
            }
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            boolean allowed = exchange.getRequestURI().toString().contains("api_key=" + token);
            exchange.sendResponseHeaders(allowed ? status : 401, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Delays responses to this path until {@link #release}. */
    void hold(String path) {
        held.put(path, new CountDownLatch(1));
    }

    void release(String path) {
        CountDownLatch latch = held.remove(path);
        if (latch != null) {
            latch.countDown();
        }
    }

    public String url() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort();
    }

    /** Path and query of every request so far. */
    Collection<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
