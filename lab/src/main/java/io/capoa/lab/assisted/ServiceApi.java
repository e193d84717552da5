package io.capoa.lab.assisted;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.actors.Caches;
import io.capoa.lab.actors.Delays;
import io.capoa.lab.workload.Json;
import io.capoa.lab.workload.Workload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The service's HTTP side: signed downloads, and what the hosts' agents call. Everything asks for a token. */
final class ServiceApi implements AutoCloseable {

    static final String BASE = "/api/assisted-install/v2";
    private static final String ISO_PREFIX = "/byapikey/";
    private static final String KEY_HEADER = "X-Secret-Key";
    private static final long LONG_POLL_MILLIS = 25_000;

    private final HttpServer server;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final Backend backend;
    private final Tokens tokens;
    private final Caches.Cache<InfraEnv> infraEnvs;
    private final Delays delays;

    private volatile boolean authenticates = true;
    private volatile boolean helpsHosts = true;

    ServiceApi(int port, Backend backend, Tokens tokens, Caches.Cache<InfraEnv> infraEnvs, Delays delays)
            throws IOException {
        this.backend = backend;
        this.tokens = tokens;
        this.infraEnvs = infraEnvs;
        this.delays = delays;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(requests);
        server.createContext("/", this::handle);
    }

    void start() {
        server.start();
    }

    void authenticates(boolean yes) {
        authenticates = yes;
    }

    /** Whether orders to install hold what only simulated hosts need. */
    void helpsHosts(boolean yes) {
        helpsHosts = yes;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String filesUrl(String infraEnvId, String fileName) {
        return url() + BASE + "/infra-envs/" + infraEnvId + "/downloads/files?api_key="
                + tokens.issue(Tokens.INFRA_ENV, infraEnvId) + "&file_name=" + fileName;
    }

    String infraEnvEventsUrl(String infraEnvId) {
        return url() + BASE + "/events?api_key=" + tokens.issue(Tokens.INFRA_ENV, infraEnvId) + "&infra_env_id="
                + infraEnvId;
    }

    String hostEventsUrl(HostRecord host) {
        return url() + BASE + "/events?api_key=" + tokens.issue(Tokens.INFRA_ENV, host.infraEnvId) + "&host_id="
                + host.agent.name() + "&infra_env_id=" + host.infraEnvId;
    }

    String clusterEventsUrl(String clusterId) {
        return url() + BASE + "/events?api_key=" + tokens.issue(Tokens.CLUSTER, clusterId) + "&cluster_id=" + clusterId;
    }

    String isoUrl(String infraEnvId, String version) {
        return url() + ISO_PREFIX + tokens.issue(Tokens.INFRA_ENV, infraEnvId) + "/" + version + "/x86_64/full.iso";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith(ISO_PREFIX) && path.endsWith("/full.iso")) {
                iso(exchange, path.substring(ISO_PREFIX.length(), path.indexOf('/', ISO_PREFIX.length())));
            } else if (path.equals(BASE + "/events")) {
                events(exchange);
            } else if (path.startsWith(BASE + "/infra-envs/")) {
                infraEnv(
                        exchange,
                        List.of(path.substring((BASE + "/infra-envs/").length()).split("/")));
            } else {
                fail(exchange, 404, "path " + path + " was not found");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void iso(HttpExchange exchange, String token) throws IOException, InterruptedException {
        String id = tokens.claim(token, Tokens.INFRA_ENV);
        if (id.isEmpty()) {
            fail(exchange, 401, "unauthenticated for invalid credentials");
            return;
        }
        byte[] ignition = discovery(exchange, id);
        if (ignition.length > 0) {
            exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
            send(exchange, 200, DiscoveryIso.of(ignition));
        }
    }

    private void events(HttpExchange exchange) throws IOException {
        Map<String, String> query = query(exchange);
        String key = query.getOrDefault("api_key", "");
        boolean allowed = List.of(Tokens.INFRA_ENV, Tokens.CLUSTER).stream()
                .anyMatch(claim -> !tokens.claim(key, claim).isEmpty()
                        && tokens.claim(key, claim).equals(query.get(claim)));
        if (allowed) {
            send(exchange, 200, Json.bytes(List.of()));
        } else {
            fail(exchange, 401, "unauthenticated for invalid credentials");
        }
    }

    private void infraEnv(HttpExchange exchange, List<String> path) throws IOException, InterruptedException {
        String id = path.getFirst();
        backend.awaitUp(id);
        Map<String, String> query = query(exchange);
        String key = Optional.ofNullable(exchange.getRequestHeaders().getFirst(KEY_HEADER))
                .orElseGet(() -> query.getOrDefault("api_key", ""));
        if (authenticates && !id.equals(tokens.claim(key, Tokens.INFRA_ENV))) {
            fail(exchange, 401, "unauthenticated for invalid credentials");
            return;
        }
        String call = exchange.getRequestMethod() + " " + String.join("/", path.subList(1, path.size()));
        if (call.equals("GET downloads/files")) {
            file(exchange, id, query.getOrDefault("file_name", ""));
        } else if (call.equals("POST hosts")) {
            register(exchange, id);
        } else if (path.size() > 3 && path.get(1).equals("hosts")) {
            host(
                    exchange,
                    id,
                    path.get(2),
                    exchange.getRequestMethod() + " " + String.join("/", path.subList(3, path.size())));
        } else {
            fail(exchange, 404, "no such operation");
        }
    }

    private void file(HttpExchange exchange, String id, String name) throws IOException, InterruptedException {
        if (!name.equals("discovery.ign")) {
            fail(exchange, 400, "invalid file name for infra-env: " + name);
            return;
        }
        byte[] ignition = discovery(exchange, id);
        if (ignition.length > 0) {
            exchange.getResponseHeaders().set("Content-Disposition", "attachment; filename=\"discovery.ign\"");
            send(exchange, 200, ignition);
        }
    }

    /** The ignition, or nothing after a refusal was sent. */
    private byte[] discovery(HttpExchange exchange, String id) throws IOException, InterruptedException {
        Thread.sleep(delays.get(Delays.Of.IGNITION));
        Backend.InfraEnvRecord accepted = backend.infraEnv(id).orElse(null);
        InfraEnv infraEnv = accepted == null ? null : infraEnvs.get(accepted.key());
        if (accepted == null || infraEnv == null) {
            fail(exchange, 404, "infra env " + id + " was not found");
            return new byte[0];
        }
        try {
            String token = authenticates ? tokens.issue(Tokens.INFRA_ENV, id) : "";
            return Json.bytes(DiscoveryIgnition.of(infraEnv, accepted, url(), token));
        } catch (IOException e) {
            fail(exchange, 500, String.valueOf(e.getMessage()));
            return new byte[0];
        }
    }

    private void register(HttpExchange exchange, String id) throws IOException {
        Map<String, Object> body = Json.parse(exchange.getRequestBody().readAllBytes());
        Backend.InfraEnvRecord accepted = backend.infraEnv(id).orElse(null);
        if (accepted == null) {
            fail(exchange, 404, "infra env " + id + " was not found");
        } else if (!(body.get("host_id") instanceof String hostId)
                || !(body.get("inventory") instanceof Map<?, ?> inventory)) {
            fail(exchange, 400, "host_id and inventory are required");
        } else if (!backend.takesHost(accepted, infraEnvs.get(accepted.key()), hostId)) {
            fail(exchange, 409, Backend.NO_NEW_HOSTS);
        } else {
            backend.register(accepted, hostId, Inventory.toStatus(inventory));
            send(exchange, 201, Json.bytes(Map.of("id", hostId, "infra_env_id", id, "kind", "Host")));
        }
    }

    private void host(HttpExchange exchange, String infraEnvId, String hostId, String call)
            throws IOException, InterruptedException {
        HostRecord host = backend.host(infraEnvId, hostId).orElse(null);
        if (host == null) {
            fail(exchange, 404, "host " + hostId + " was not found");
            return;
        }
        switch (call) {
            case "GET instructions" -> instructions(exchange, host);
            case "POST instructions" -> stepReply(exchange, host);
            case "PUT progress" -> progress(exchange, host);
            case "GET downloads/ignition" -> {
                Workload workload = Optional.ofNullable(host.cluster)
                        .map(backend::cluster)
                        .map(cluster -> cluster.workload)
                        .orElse(null);
                if (workload == null) {
                    fail(exchange, 409, "the cluster of host " + hostId + " is not being installed");
                } else {
                    boolean single = host.stages.equals(Stages.SINGLE_NODE);
                    send(exchange, 200, Json.bytes(InstalledIgnition.of(host, workload, single)));
                }
            }
            default -> fail(exchange, 404, "no such operation");
        }
    }

    /** Answers when there is something to do, at the latest after the long poll's time. */
    private void instructions(HttpExchange exchange, HostRecord host) throws IOException, InterruptedException {
        host.awaitInstruction(LONG_POLL_MILLIS);
        boolean install;
        Map<String, Object> arguments = new LinkedHashMap<>();
        synchronized (host) {
            if (host.forgotten) {
                fail(exchange, 404, "host " + host.agent.name() + " was not found");
                return;
            }
            install = host.state == HostState.INSTALLING;
            arguments.put("role", host.bootstrap ? "bootstrap" : host.role);
            arguments.put("installer_args", host.wish.installerArgs());
            if (helpsHosts) {
                arguments.put("host_name", host.hostname());
                arguments.put("node_labels", host.wish.nodeLabels());
                arguments.put("stages", host.stages);
                arguments.put("day2", host.addedLater);
            }
        }
        List<Object> steps = install
                ? List.of(Map.of("step_type", "install", "step_id", "install-1", "args", List.of(Json.text(arguments))))
                : List.of();
        send(exchange, 200, Json.bytes(Map.of("instructions", steps, "post_step_action", "continue")));
    }

    /** What a step of the agent brought to light; of the steps only the inventory tells anything here. */
    private void stepReply(HttpExchange exchange, HostRecord host) throws IOException {
        Map<String, Object> body = Json.parse(exchange.getRequestBody().readAllBytes());
        if (!"inventory".equals(body.get("step_type")) || !(body.get("output") instanceof String output)) {
            fail(exchange, 400, "step_type inventory and its output are required");
            return;
        }
        host.report(Inventory.toStatus(Json.parse(output)));
        backend.hostChanged(host);
        send(exchange, 204, new byte[0]);
    }

    private void progress(HttpExchange exchange, HostRecord host) throws IOException {
        Map<String, Object> body = Json.parse(exchange.getRequestBody().readAllBytes());
        String stage = String.valueOf(body.get("current_stage"));
        if (host.progress(stage, String.valueOf(body.getOrDefault("progress_info", "")))) {
            backend.hostChanged(host);
            send(exchange, 200, Json.bytes(Map.of()));
        } else {
            fail(exchange, 409, "stage " + stage + " cannot follow the host's present stage");
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            int at = pair.indexOf('=');
            if (at > 0) {
                query.put(pair.substring(0, at), URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private static void fail(HttpExchange exchange, int code, String reason) throws IOException {
        send(exchange, code, Json.bytes(Map.of("code", Integer.toString(code), "kind", "Error", "reason", reason)));
    }

    private static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        requests.shutdownNow();
    }
}
