import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * Trains the AOT cache of a manager: starts it as its image does, with an API server that responds just enough to load
 * all classes of a start, stops it when it is ready, and writes {@code manager.aot} next to the jar.
 */
final class Training {

    private static final Duration LONGEST_START = Duration.ofSeconds(120);
    private static final Duration LONGEST_END = Duration.ofSeconds(120);

    /** Objects that the manager has written, by path. */
    private static final Map<String, String> STORED = new ConcurrentHashMap<>();

    private Training() {}

    public static void main(String[] arguments) throws Exception {
        Path app = Path.of(arguments[0]).toAbsolutePath();
        Path cache = app.resolve("manager.aot");
        Files.deleteIfExists(cache);
        Path work = Files.createTempDirectory("training-");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", Training::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        int probes = freePort();
        File log = work.resolve("log").toFile();
        Process manager = new ProcessBuilder(List.of(
                        app.resolve("jre/bin/java").toString(),
                        "@" + app.resolve("jvm.options"),
                        "-XX:MaxRAM=512m",
                        "-XX:AOTCacheOutput=" + cache,
                        "-jar",
                        app.resolve("manager.jar").toString(),
                        "--kubeconfig=" + kubeconfig(work, server.getAddress().getPort()),
                        "--leader-elect",
                        "--leader-elect-namespace=training",
                        "--health-probe-bind-address=127.0.0.1:" + probes,
                        "--metrics-bind-address=127.0.0.1:" + freePort(),
                        "--webhook-port=0"))
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        try {
            awaitReady(manager, probes, log);
            manager.destroy();
            if (!manager.waitFor(LONGEST_END) || !Files.exists(cache)) {
                throw new IllegalStateException("It left no AOT cache");
            }
            System.out.printf("%s: %d MB%n", cache, Files.size(cache) / 1_000_000);
        } catch (IllegalStateException e) {
            System.err.println(Files.readString(log.toPath()));
            System.err.println("The training run of the manager failed: " + e.getMessage() + ". Its log stands above.");
            System.exit(1);
        } finally {
            manager.destroyForcibly();
        }
        System.exit(0);
    }

    private static void awaitReady(Process manager, int probes, File log) throws Exception {
        Instant latest = Instant.now().plus(LONGEST_START);
        HttpRequest probe = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + probes + "/readyz"))
                .build();
        String last = "it does not answer";
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (Instant.now().isBefore(latest)) {
                if (!manager.isAlive()) {
                    throw new IllegalStateException("It ended with exit code " + manager.exitValue());
                }
                try {
                    HttpResponse<String> answer = http.send(probe, HttpResponse.BodyHandlers.ofString());
                    if (answer.statusCode() == HttpURLConnection.HTTP_OK) {
                        return;
                    }
                    last = answer.body();
                } catch (IOException notYet) {
                    last = "it does not answer";
                }
                Thread.sleep(50);
            }
        }
        throw new IllegalStateException("It did not become ready: " + last);
    }

    /** Lists are empty, watches have no events, and other reads return what the manager has written. */
    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        switch (exchange.getRequestMethod()) {
            case "GET" -> {
                if (query.contains("watch=true")) {
                    silence(exchange);
                } else if (path.contains("/leases/")) {
                    String lease = STORED.get(path);
                    send(exchange, lease == null ? 404 : 200, lease == null ? NOT_FOUND : lease);
                } else {
                    send(exchange, 200, EMPTY_LIST);
                }
            }
            case "POST" -> {
                if (path.endsWith("/selfsubjectrulesreviews")) {
                    send(exchange, 201, EVERYTHING_ALLOWED);
                } else {
                    STORED.put(path + "/" + name(body), body);
                    send(exchange, 201, body);
                }
            }
            default -> {
                STORED.merge(path, body, (before, change) -> before);
                send(exchange, 200, STORED.get(path));
            }
        }
    }

    private static final String NOT_FOUND =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}";
    private static final String EMPTY_LIST =
            "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}";
    private static final String EVERYTHING_ALLOWED = "{\"kind\":\"SelfSubjectRulesReview\","
            + "\"apiVersion\":\"authorization.k8s.io/v1\",\"status\":{\"incomplete\":false,\"nonResourceRules\":[],"
            + "\"resourceRules\":[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]}}";

    private static String name(String json) {
        return json.replaceFirst("(?s).*\"name\"\\s*:\\s*\"([^\"]*)\".*", "$1");
    }

    private static void silence(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        try {
            Thread.sleep(LONGEST_START.plus(LONGEST_END));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        try (exchange) {
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static Path kubeconfig(Path folder, int port) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters:
                - name: training
                  cluster:
                    server: http://127.0.0.1:%d
                users:
                - name: training
                contexts:
                - name: training
                  context:
                    cluster: training
                    user: training
                    namespace: training
                current-context: training
                """.formatted(port));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
