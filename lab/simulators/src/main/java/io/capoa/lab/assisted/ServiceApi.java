package io.capoa.lab.assisted;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** HTTP API of the service: signed downloads and the calls of the hosts' agents, all authenticated by token. */
final class ServiceApi implements AutoCloseable {

    static final String BASE = "/api/assisted-install/v2";
    private static final String ISO_PREFIX = "/byapikey/";
    private static final String KEY_HEADER = "X-Secret-Key";

    private final HttpServer server;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final Backend backend;
    private final LocalAuthTokens tokens;
    private final Caches.Cache<InfraEnv> infraEnvs;
    private final Delays delays;
    private final HostApi hosts;

    private volatile boolean authenticates = true;

    ServiceApi(int port, Backend backend, LocalAuthTokens tokens, Caches.Cache<InfraEnv> infraEnvs, Delays delays)
            throws IOException {
        this.backend = backend;
        this.tokens = tokens;
        this.infraEnvs = infraEnvs;
        this.delays = delays;
        this.hosts = new HostApi(backend, infraEnvs);
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

    boolean authenticates() {
        return authenticates;
    }

    /** Whether install instructions contain what only simulated hosts need. */
    void helpsHosts(boolean yes) {
        hosts.helpsHosts(yes);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String filesUrl(String infraEnvId, String fileName) {
        return url() + BASE + "/infra-envs/" + infraEnvId + "/downloads/files?api_key="
                + tokens.issue(LocalAuthTokens.INFRA_ENV, infraEnvId) + "&file_name=" + fileName;
    }

    String infraEnvEventsUrl(String infraEnvId) {
        return url() + BASE + "/events?api_key=" + tokens.issue(LocalAuthTokens.INFRA_ENV, infraEnvId)
                + "&infra_env_id=" + infraEnvId;
    }

    String hostEventsUrl(HostRecord host) {
        return url() + BASE + "/events?api_key=" + tokens.issue(LocalAuthTokens.INFRA_ENV, host.infraEnvId)
                + "&host_id=" + host.agent.name() + "&infra_env_id=" + host.infraEnvId;
    }

    String clusterEventsUrl(String clusterId) {
        return url() + BASE + "/events?api_key=" + tokens.issue(LocalAuthTokens.CLUSTER, clusterId) + "&cluster_id="
                + clusterId;
    }

    String isoUrl(String infraEnvId, String version) {
        return url() + ISO_PREFIX + tokens.issue(LocalAuthTokens.INFRA_ENV, infraEnvId) + "/" + version
                + "/x86_64/full.iso";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith(ISO_PREFIX) && path.endsWith("/full.iso")) {
                String[] parts = path.substring(ISO_PREFIX.length()).split("/", -1);
                iso(exchange, parts[0], parts[1]);
            } else if (path.equals(BASE + "/events")) {
                events(exchange);
            } else if (path.startsWith(BASE + "/infra-envs/")) {
                infraEnv(
                        exchange,
                        List.of(path.substring((BASE + "/infra-envs/").length()).split("/")));
            } else {
                Replies.fail(exchange, 404, "path " + path + " was not found");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void iso(HttpExchange exchange, String token, String version) throws IOException, InterruptedException {
        String id = tokens.claim(token, LocalAuthTokens.INFRA_ENV);
        if (id.isEmpty()) {
            Replies.fail(exchange, 401, "unauthenticated for invalid credentials");
            return;
        }
        byte[] ignition = discovery(exchange, id);
        if (ignition.length > 0) {
            exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
            Replies.send(exchange, 200, DiscoveryIso.of(ignition, version));
        }
    }

    private void events(HttpExchange exchange) throws IOException {
        Map<String, String> query = Replies.query(exchange);
        String key = query.getOrDefault("api_key", "");
        boolean allowed = List.of(LocalAuthTokens.INFRA_ENV, LocalAuthTokens.CLUSTER).stream()
                .anyMatch(claim -> !tokens.claim(key, claim).isEmpty()
                        && tokens.claim(key, claim).equals(query.get(claim)));
        if (allowed) {
            Replies.send(exchange, 200, Json.bytes(List.of()));
        } else {
            Replies.fail(exchange, 401, "unauthenticated for invalid credentials");
        }
    }

    private void infraEnv(HttpExchange exchange, List<String> path) throws IOException, InterruptedException {
        String id = path.getFirst();
        backend.awaitUp(id);
        Map<String, String> query = Replies.query(exchange);
        String key = Optional.ofNullable(exchange.getRequestHeaders().getFirst(KEY_HEADER))
                .orElseGet(() -> query.getOrDefault("api_key", ""));
        if (authenticates && !id.equals(tokens.claim(key, LocalAuthTokens.INFRA_ENV))) {
            Replies.fail(exchange, 401, "unauthenticated for invalid credentials");
            return;
        }
        String call = exchange.getRequestMethod() + " " + String.join("/", path.subList(1, path.size()));
        if (call.equals("GET downloads/files")) {
            file(exchange, id, query.getOrDefault("file_name", ""));
        } else if (call.equals("POST hosts")) {
            hosts.register(exchange, id);
        } else if (path.size() > 3 && path.get(1).equals("hosts")) {
            hosts.call(
                    exchange,
                    id,
                    path.get(2),
                    exchange.getRequestMethod() + " " + String.join("/", path.subList(3, path.size())));
        } else {
            Replies.fail(exchange, 404, "no such operation");
        }
    }

    private void file(HttpExchange exchange, String id, String name) throws IOException, InterruptedException {
        if (!name.equals("discovery.ign")) {
            Replies.fail(exchange, 400, "invalid file name for infra-env: " + name);
            return;
        }
        byte[] ignition = discovery(exchange, id);
        if (ignition.length > 0) {
            exchange.getResponseHeaders().set("Content-Disposition", "attachment; filename=\"discovery.ign\"");
            Replies.send(exchange, 200, ignition);
        }
    }

    /** The discovery ignition; empty after an error has been sent. */
    private byte[] discovery(HttpExchange exchange, String id) throws IOException, InterruptedException {
        Thread.sleep(delays.get(Delays.Of.IGNITION));
        Backend.InfraEnvRecord accepted = backend.infraEnv(id).orElse(null);
        InfraEnv infraEnv = accepted == null ? null : infraEnvs.get(accepted.key());
        if (accepted == null || infraEnv == null) {
            Replies.fail(exchange, 404, "infra env " + id + " was not found");
            return new byte[0];
        }
        try {
            String token = authenticates ? tokens.issue(LocalAuthTokens.INFRA_ENV, id) : "";
            return Json.bytes(DiscoveryIgnition.of(accepted, url(), token));
        } catch (IOException e) {
            Replies.fail(exchange, 500, String.valueOf(e.getMessage()));
            return new byte[0];
        }
    }

    @Override
    public void close() {
        server.stop(0);
        requests.shutdownNow();
    }
}
