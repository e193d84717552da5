package io.capoa.lab.bootstrap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves discovery ignitions as assisted-service does, and remembers what it was asked for. */
final class IgnitionServer implements AutoCloseable {

    static final String IGNITION = "{ \"ignition\": {\"version\": \"3.1.0\"}, \"unknown\": 1 }";

    /** What the server says whatever the path is. */
    volatile String answer = IGNITION;

    volatile int status = 200;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();

    IgnitionServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
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
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers to this path are held back until {@link #release}. */
    void hold(String path) {
        held.put(path, new CountDownLatch(1));
    }

    void release(String path) {
        CountDownLatch latch = held.remove(path);
        if (latch != null) {
            latch.countDown();
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Path and query of every request so far. */
    Iterable<String> requests() {
        return requests;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
