package io.capoa.lab.cloud;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.lab.workload.CloudInstances;
import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The metadata services of all instances, in the form of OpenStack's: one HTTP server on loopback, with a path for each
 * instance in place of the link-local address.
 */
final class MetadataService implements AutoCloseable {

    private static final String DOCUMENT = "/openstack/latest/meta_data.json";
    private static final int NOT_FOUND = 404;
    private static final int OK = 200;

    private final HttpServer server;
    private final Map<String, Map<String, Object>> documents = new ConcurrentHashMap<>();

    MetadataService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Publishes an instance's metadata; returns the URL of its service.
     *
     * @param uid of the infrastructure machine
     */
    String publish(String uid, String hostname, CloudInstances.Instance instance) {
        String provider = instance.providerId();
        documents.put(
                uid,
                Map.of(
                        "uuid",
                        provider.substring(provider.lastIndexOf('/') + 1),
                        "name",
                        hostname,
                        "hostname",
                        hostname,
                        "availability_zone",
                        instance.zone()));
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + uid;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            List<String> parts = List.of(path.split("/", 3));
            Map<String, Object> document =
                    parts.size() == 3 && path.endsWith(DOCUMENT) ? documents.get(parts.get(1)) : null;
            if (document == null) {
                exchange.sendResponseHeaders(NOT_FOUND, -1);
                return;
            }
            byte[] body = Json.bytes(document);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(OK, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
