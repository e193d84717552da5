package io.capoa.lab.workload;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Handles one request to a workload cluster's API as kube-apiserver does. */
final class ApiCall {

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final String NOT_READY = "[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n";
    private static final int EXEC_PATH_LENGTH = 7;

    private final HttpExchange exchange;
    private final List<String> path;
    private final Map<String, String> query = new LinkedHashMap<>();
    private Tampering tampering = Tampering.NONE;
    private String method;

    @FunctionalInterface
    private interface BodyReader<T> {
        T read(byte[] body) throws IOException;
    }

    /** The request's body is not what its kind of request carries. */
    private static final class MalformedBody extends IOException {
        private static final long serialVersionUID = 1L;

        MalformedBody(IOException cause) {
            super("the body of the request cannot be decoded: " + cause.getMessage(), cause);
        }
    }

    ApiCall(HttpExchange exchange, List<String> path) {
        this.exchange = exchange;
        this.path = path;
        this.method = exchange.getRequestMethod();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            int at = pair.indexOf('=');
            query.put(
                    at < 0 ? pair : pair.substring(0, at),
                    at < 0 ? "" : URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
        }
    }

    void answer(Workload cluster) throws IOException {
        String request = exchange.getRequestMethod() + " /" + String.join("/", path);
        String agent = exchange.getRequestHeaders().getFirst("User-Agent");
        cluster.received(
                request, agent == null ? "" : agent, exchange.getRemoteAddress().getPort());
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        X509Certificate certificate = exchange instanceof SocketExchange socket ? socket.certificate() : null;
        Credentials.Caller caller =
                cluster.credentials().caller(certificate, authorization == null ? "" : authorization);
        if (caller == Credentials.Caller.ANONYMOUS) {
            fail(401, "Unauthorized", "Unauthorized");
        } else if (caller == Credentials.Caller.KUBELET
                && path.size() == 2
                && path.getFirst().equals("machines")) {
            power(cluster, path.get(1));
        } else if (caller == Credentials.Caller.ADMIN && cluster.isInterrupted()) {
            throw new IOException("the API server restarts");
        } else if (!cluster.isUp() && isReadinessProbe() && cluster.hasApiServer()) {
            sendBytes(500, "text/plain", NOT_READY.getBytes(StandardCharsets.US_ASCII));
        } else if (!cluster.isUp()) {
            fail(503, "ServiceUnavailable", "no control-plane machine is running");
        } else {
            tampering = caller == Credentials.Caller.ADMIN ? cluster.tampering() : Tampering.NONE;
            try {
                serve(cluster);
            } catch (MalformedBody e) {
                fail(400, "BadRequest", e.getMessage());
            }
        }
    }

    /** All checks, or the one of etcd. */
    private boolean isReadinessProbe() {
        return path.equals(List.of("readyz")) || path.equals(List.of("readyz", "etcd"));
    }

    /** Simulates the static pods of a control-plane machine, which start and stop with its power. */
    private void power(Workload cluster, String machine) throws IOException {
        if (exchange.getRequestMethod().equals("DELETE")) {
            cluster.machineOff(machine);
            send(OK, Map.of());
        } else {
            String role = query.getOrDefault("role", PoolObject.WORKER);
            cluster.machineOn(machine, role);
            send(OK, Map.of("kubeletVersion", cluster.upgrades().kubeletVersion(machine, role)));
        }
    }

    private void serve(Workload cluster) throws IOException {
        if (isReadinessProbe()
                || (path.size() == 1 && List.of("healthz", "livez").contains(path.getFirst()))) {
            sendBytes(OK, "text/plain", "ok".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        if (path.isEmpty()) {
            send(OK, Map.of("paths", Resource.paths()));
            return;
        }
        if (path.equals(List.of("version"))) {
            String version = cluster.upgrades().apiServerVersion();
            String[] parts = version.substring(1).split("\\.", -1);
            send(OK, Map.of("major", parts[0], "minor", parts[1], "gitVersion", version, "platform", "linux/amd64"));
            return;
        }
        Optional<Map<String, Object>> discovery = Resource.discovery(path);
        if (discovery.isPresent()) {
            send(OK, discovery.get());
            return;
        }
        if (path.size() == EXEC_PATH_LENGTH
                && path.subList(0, 2).equals(List.of("api", "v1"))
                && path.getLast().equals("exec")) {
            exec(cluster, path.get(5));
            return;
        }
        if (!method.equals("GET") && isRefused()) {
            return;
        }
        serveResource(cluster.store());
        if (method.equals("GET")) {
            return;
        }
        if (Stream.of(Resource.NODES, Resource.MACHINES, Resource.ETCDS).anyMatch(kind -> path.contains(kind.path()))) {
            cluster.nodesChanged();
        }
        cluster.upgrades().settleSoon();
    }

    /** A change that is not made is answered as if it had been. */
    private boolean isRefused() throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.setStreams(new ByteArrayInputStream(body), null);
        if (tampering.takes(method + " /" + String.join("/", path), body)) {
            return false;
        }
        if (method.equals("POST")) {
            send(CREATED, Json.parse(body));
            return true;
        }
        method = "GET";
        return false;
    }

    private void exec(Workload cluster, String name) throws IOException {
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        Map<String, Object> pod = cluster.store().get(Resource.PODS.path(), name);
        String obstacle = pod == null ? "" : Exec.obstacle(cluster, pod, Exec.values(query, "container"));
        if (pod == null) {
            fail(404, "NotFound", "pods \"" + name + "\" not found");
        } else if (!obstacle.isEmpty()) {
            fail(500, "InternalError", obstacle);
        } else if (exchange instanceof SocketExchange socket && socket.wantsWebSocket()) {
            Exec.run(socket, cluster.etcdctl(), Exec.values(query, "command"), tampering);
        } else {
            fail(400, "BadRequest", "Upgrade request required");
        }
    }

    private void serveResource(ObjectStore store) throws IOException {
        boolean core = path.size() >= 3 && path.getFirst().equals("api");
        int start = core ? 2 : 3;
        if (path.size() <= start) {
            fail(404, "NotFound", "the server could not find the requested resource");
            return;
        }
        List<String> rest = path.subList(start, path.size());
        if (rest.size() >= 3 && rest.getFirst().equals("namespaces")) {
            rest = rest.subList(2, rest.size());
        }
        Resource resource =
                Resource.of(core ? "" : path.get(1), rest.getFirst()).orElse(null);
        boolean subresource = rest.size() == 3 && rest.get(2).equals("status");
        if (resource == null || (rest.size() > 2 && !subresource)) {
            fail(404, "NotFound", "the server could not find the requested resource");
        } else if (rest.size() == 1) {
            collection(store, resource);
        } else {
            object(store, resource, rest.get(1), subresource);
        }
    }

    private void collection(ObjectStore store, Resource resource) throws IOException {
        switch (method) {
            case "GET" -> {
                if (List.of("true", "1").contains(query.getOrDefault("watch", ""))) {
                    watch(store, resource);
                } else {
                    list(store, resource);
                }
            }
            case "POST" -> {
                Map<String, Object> desired = new ResourceWrite(resource, false).created(body());
                Map<String, Object> created = store.create(resource.path(), desired);
                if (created == null) {
                    String name = ObjectStore.name(desired);
                    fail(409, "AlreadyExists", resource.path() + " \"" + name + "\" already exists");
                } else {
                    send(CREATED, created);
                }
            }
            default -> fail(405, "MethodNotAllowed", "the server does not allow this method");
        }
    }

    private void object(ObjectStore store, Resource resource, String name, boolean status) throws IOException {
        try {
            ResourceWrite write = new ResourceWrite(resource, status);
            Map<String, Object> answer = switch (method) {
                case "GET" -> store.get(resource.path(), name);
                case "PUT" -> write.put(store, name, body());
                case "PATCH" -> write.patch(store, name, contentType(), body());
                case "DELETE" -> store.delete(resource.path(), name, read(DeletePreconditions::read));
                default -> null;
            };
            if (answer == null) {
                fail(404, "NotFound", resource.path() + " \"" + name + "\" not found");
            } else {
                send(OK, answer);
            }
        } catch (ObjectStore.Rejected e) {
            fail(e.code(), e.reason(), e.getMessage());
        }
    }

    private String contentType() {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        return type == null ? "" : type;
    }

    private void list(ObjectStore store, Resource resource) throws IOException {
        ObjectStore.Listing listing = store.list(resource.path());
        send(
                OK,
                Map.of(
                        "kind", resource.kind() + "List",
                        "apiVersion", resource.apiVersion(),
                        "metadata", Map.of("resourceVersion", Long.toString(listing.version())),
                        "items",
                                listing.items().stream()
                                        .filter(Selection.of(query)::takes)
                                        .toList()));
    }

    private void watch(ObjectStore store, Resource resource) throws IOException {
        WatchStream stream = new WatchStream(store, resource, query);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(OK, 0);
        // Closed only at a regular end: a watch that ends with an exception breaks off.
        OutputStream out = exchange.getResponseBody();
        stream.run(out, status(410, "Expired", "too old resource version"));
        out.close();
    }

    private Map<String, Object> body() throws IOException {
        return read(Json::parse);
    }

    private <T> T read(BodyReader<T> reader) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            return reader.read(body);
        } catch (IOException e) {
            throw new MalformedBody(e);
        }
    }

    void fail(int code, String reason, @Nullable String message) throws IOException {
        send(code, status(code, reason, String.valueOf(message)));
    }

    private static Map<String, Object> status(int code, String reason, String message) {
        return Map.of(
                "kind",
                "Status",
                "apiVersion",
                "v1",
                "metadata",
                Map.of(),
                "status",
                "Failure",
                "message",
                message,
                "reason",
                reason,
                "code",
                code);
    }

    private void send(int code, Object body) throws IOException {
        sendBytes(code, "application/json", Json.bytes(body));
    }

    private void sendBytes(int code, String type, byte[] body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String uri = exchange.getRequestURI().getRawQuery() == null
                ? ""
                : "?" + exchange.getRequestURI().getRawQuery();
        Tampering.Reply reply = tampering.reply(
                exchange.getRequestMethod() + " /" + String.join("/", path) + uri,
                new Tampering.Reply(code, type, new String(body, StandardCharsets.UTF_8), true));
        byte[] sent = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", reply.type());
        exchange.sendResponseHeaders(reply.status(), sent.length + (reply.isWhole() ? 0 : 1));
        exchange.getResponseBody().write(sent);
        if (!reply.isWhole()) {
            exchange.getResponseBody().flush();
            throw new IOException("the connection ends");
        }
    }
}
