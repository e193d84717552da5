import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Trains the AOT cache of a manager: starts it as its image does, with an API server that speaks TLS and HTTP/2 and has a
 * cluster to install, lets it reconcile and answer as in service, so that the classes of all that are in the cache, stops
 * it, and writes {@code manager.aot} next to the jar. Uses no network but loopback.
 */
final class Training {

    private static final Duration LONGEST_START = Duration.ofSeconds(120);
    private static final Duration LONGEST_STEP = Duration.ofSeconds(30);
    private static final Duration LONGEST_END = Duration.ofSeconds(120);
    private static final int OK = 200;

    private final Path app;
    private final Path cache;
    private final Path work = Files.createTempDirectory("training-");
    private final File log = work.resolve("log").toFile();
    private final ApiServer server = new ApiServer();
    private final HttpServer peers = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final int probes = freePort();
    private final int metrics = freePort();

    private Training(Path app) throws IOException {
        this.app = app;
        this.cache = app.resolve("manager.aot");
    }

    public static void main(String[] arguments) throws Exception {
        Training training = new Training(Path.of(arguments[1]).toAbsolutePath());
        try {
            training.run(arguments[0]);
        } catch (IllegalStateException e) {
            System.err.println(Files.readString(training.log.toPath()));
            System.err.println("The training run of the manager failed: " + e.getMessage() + ". Its log stands above.");
            System.exit(1);
        }
        System.exit(0);
    }

    private void run(String program) throws Exception {
        Files.deleteIfExists(cache);
        peers.createContext("/", Training::answer);
        peers.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        peers.start();
        Scenario scenario = Scenario.of(program, peers.getAddress().getPort());
        for (Scenario.Seed seed : scenario.objects()) {
            Scenario.write(server, seed);
        }
        Process manager = start(program);
        try {
            OkHttpClient client = client();
            until(manager, "became ready", LONGEST_START, () -> isOk(client, "http://127.0.0.1:" + probes + "/readyz"));
            for (Scenario.Step step : scenario.steps()) {
                String what = "wrote %s with %s".formatted(step.path(), step.content());
                until(manager, what, LONGEST_STEP, () -> server.stored().has(step.path(), step.content()));
                if (step.answer() != null) {
                    Scenario.write(server, step.answer());
                }
            }
            until(manager, "served metrics", LONGEST_STEP, () -> isOk(client, "https://127.0.0.1:" + metrics + "/metrics"));
            manager.destroy();
            if (!manager.waitFor(LONGEST_END) || !Files.exists(cache)) {
                throw new IllegalStateException("it left no AOT cache");
            }
            System.out.printf("%s: %d MB%n", cache, Files.size(cache) / 1_000_000);
        } finally {
            manager.destroyForcibly();
        }
    }

    private Process start(String program) throws IOException {
        Path registries = Files.writeString(work.resolve("registries.conf"), """
                [[registry]]
                prefix = "quay.io"
                location = "127.0.0.1:%d"
                insecure = true
                """.formatted(peers.getAddress().getPort()));
        List<String> command = new ArrayList<>(List.of(
                app.resolve("jre/bin/java").toString(),
                "@" + app.resolve("jvm.options"),
                "-XX:MaxRAM=512m",
                "-XX:AOTCacheOutput=" + cache,
                "-jar",
                app.resolve("manager.jar").toString(),
                "--kubeconfig=" + kubeconfig(),
                "--leader-elect",
                "--leader-elect-namespace=training",
                "--health-probe-bind-address=127.0.0.1:" + probes,
                "--metrics-bind-address=127.0.0.1:" + metrics,
                "--webhook-port=0"));
        if (program.equals("controlplane")) {
            command.add("--registries-conf=" + registries);
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
    }

    private static void until(Process manager, String what, Duration longest, BooleanSupplier done)
            throws InterruptedException {
        Instant latest = Instant.now().plus(longest);
        while (!done.getAsBoolean()) {
            if (!manager.isAlive()) {
                throw new IllegalStateException("it ended with exit code " + manager.exitValue());
            }
            if (Instant.now().isAfter(latest)) {
                throw new IllegalStateException("within %d s it never %s".formatted(longest.toSeconds(), what));
            }
            Thread.sleep(50);
        }
    }

    /** The manager's certificate is self-signed. */
    private static OkHttpClient client() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        X509TrustManager everybody = new Everybody();
        context.init(null, new TrustManager[] {everybody}, null);
        return new OkHttpClient.Builder()
                .sslSocketFactory(context.getSocketFactory(), everybody)
                .hostnameVerifier((host, session) -> true)
                .build();
    }

    private static final class Everybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static boolean isOk(OkHttpClient client, String url) {
        Request request = new Request.Builder()
                .url(url)
                .header("Authorization", "Bearer training")
                .build();
        try (Response response = client.newCall(request).execute()) {
            return response.code() == OK;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** assisted-service's ignition, and a registry without any image. */
    private static void answer(HttpExchange exchange) throws IOException {
        boolean isRegistry = exchange.getRequestURI().getPath().startsWith("/v2/");
        byte[] body = (isRegistry ? "{}" : "{\"ignition\":{\"version\":\"3.1.0\"}}").getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(isRegistry ? 404 : OK, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Path kubeconfig() throws IOException {
        String authority = Base64.getEncoder().encodeToString(server.authority().getBytes(StandardCharsets.UTF_8));
        return Files.writeString(work.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters:
                - name: training
                  cluster:
                    server: https://127.0.0.1:%d
                    certificate-authority-data: %s
                users:
                - name: training
                  user: {token: training}
                contexts:
                - name: training
                  context:
                    cluster: training
                    user: training
                    namespace: training
                current-context: training
                """.formatted(server.port(), authority));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
