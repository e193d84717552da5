package io.capoa.runtime.leadership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An API server with one Lease, which fails or hangs when told. */
final class LeaseServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable ObjectNode lease;
    private int version;
    private volatile int failing;
    private volatile String failure = "";
    private volatile boolean hanging;

    LeaseServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // Platform threads: another process would not be starved by what this one does.
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::serve);
        server.start();
    }

    /** With retries, as the managers' client. */
    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl(address())
                        .withRequestRetryBackoffLimit(2)
                        .build())
                .build();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Methods of the requests so far. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** From now on every write is answered with this status; 0 for none. */
    void fail(int status, String message) {
        failure = message;
        failing = status;
    }

    /** From now on nothing is answered. */
    void hang() {
        hanging = true;
    }

    synchronized void delete() {
        lease = null;
    }

    /** Changes the Lease as another client would. */
    synchronized void change(Consumer<ObjectNode> change) {
        var changed = lease == null ? JSON.createObjectNode() : lease.deepCopy();
        change.accept(changed);
        store(changed);
    }

    /** A field of the spec, as text; empty without. */
    synchronized String spec(String field) {
        return lease == null ? "" : lease.path("spec").path(field).asText();
    }

    synchronized String label(String key) {
        return lease == null
                ? ""
                : lease.path("metadata").path("labels").path(key).asText();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            requests.add(method);
            var body = exchange.getRequestBody().readAllBytes();
            if (hanging) {
                closed.await();
                return;
            }
            int status = method.equals("GET") ? 0 : failing;
            var answer = status > 0 ? status(status, failure) : answer(method, body);
            var bytes = answer.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.path("code").asInt(200), bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized JsonNode answer(String method, byte[] body) {
        try {
            var known = lease;
            if (method.equals("GET")) {
                return known == null ? status(404, "not found") : known;
            }
            var sent = (ObjectNode) JSON.readTree(body);
            if (method.equals("POST")) {
                return known == null ? store(sent) : status(409, "exists");
            }
            if (known == null) {
                return status(404, "not found");
            }
            var precondition = sent.path("metadata").path("resourceVersion");
            return precondition.equals(known.path("metadata").path("resourceVersion"))
                    ? store(sent)
                    : status(409, "changed");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode store(ObjectNode sent) {
        sent.withObject("/metadata").put("resourceVersion", String.valueOf(++version));
        lease = sent;
        return sent;
    }

    private static ObjectNode status(int code, String message) {
        return JSON.createObjectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("code", code)
                .put("message", message);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
