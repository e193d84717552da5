package io.capoa.runtime.manager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.runtime.webhook.ServerLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A small HTTP server for probes and metrics; every request has a virtual thread. */
final class Endpoint implements AutoCloseable {

    /** What a path answers. */
    record Answer(int status, String contentType, String body) {
        static Answer text(int status, String body) {
            return new Answer(status, "text/plain; charset=utf-8", body);
        }
    }

    private final HttpServer server;
    private final ExecutorService threads;

    private Endpoint(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Binds; paths are added by {@link #serve} before or after.
     *
     * @param flag the flag that says where, for the sentence when the address cannot be had
     * @throws StartFailure when it cannot listen there
     */
    static Endpoint listen(BindAddress address, String flag) {
        try {
            ServerLimits.apply();
            var server = HttpServer.create(address.socketAddress(), 0);
            var threads = Executors.newVirtualThreadPerTaskExecutor();
            server.setExecutor(threads);
            server.start();
            return new Endpoint(server, threads);
        } catch (IOException | RuntimeException e) {
            throw new StartFailure(
                    "Cannot listen on " + address + " (" + flag + "): " + e.getMessage()
                            + ". Choose another address, or 0 to switch it off.",
                    e);
        }
    }

    /** Answers GET and HEAD of exactly this path. */
    Endpoint serve(String path, Supplier<Answer> answer) {
        server.createContext(path, exchange -> respond(exchange, path, answer));
        return this;
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static void respond(HttpExchange exchange, String path, Supplier<Answer> supplier) throws IOException {
        try (exchange) {
            var method = exchange.getRequestMethod();
            Answer answer;
            if (!exchange.getRequestURI().getPath().equals(path)) {
                answer = Answer.text(404, "not found\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                answer = Answer.text(405, "only GET and HEAD\n");
            } else {
                answer = supplier.get();
            }
            var body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            if (method.equals("HEAD")) {
                exchange.sendResponseHeaders(answer.status(), -1);
            } else {
                exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }
}
