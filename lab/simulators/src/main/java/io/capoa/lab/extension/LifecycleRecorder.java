package io.capoa.lab.extension;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.capoa.lab.certificates.SelfSigned;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A runtime extension that records the lifecycle hooks of an upgrade, and can hold an upgrade at any of them. */
public final class LifecycleRecorder implements AutoCloseable {

    /**
     * The hooks of an upgrade, in the order in which Cluster API calls them. A step of an upgrade over several minor
     * versions has those in between.
     */
    public static final List<String> HOOKS = List.of(
            "BeforeClusterUpgrade",
            "BeforeControlPlaneUpgrade",
            "AfterControlPlaneUpgrade",
            "BeforeWorkersUpgrade",
            "AfterWorkersUpgrade",
            "AfterClusterUpgrade");

    private static final String PREFIX = "/" + RuntimeExtensions.API_VERSION + "/";
    private static final String HANDLER = "record";
    private static final int RETRY_SECONDS = 1;
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * A hook that did not hold the upgrade.
     *
     * @param version the Kubernetes version of the step
     */
    public record Call(String hook, String version) {

        @Override
        public String toString() {
            return hook + " " + version;
        }
    }

    private final SelfSigned certificate;
    private final HttpsServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Call> calls = new ArrayList<>();
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    private LifecycleRecorder() throws IOException, GeneralSecurityException {
        certificate = SelfSigned.create("lifecycle-recorder");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.serverContext()));
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Starts on a free port of this machine. */
    public static LifecycleRecorder start() {
        try {
            return new LifecycleRecorder();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("The recorder of lifecycle hooks does not start: " + e, e);
        }
    }

    /** The ExtensionConfig, in YAML, which registers the recorder for one namespace under the namespace's name. */
    public String extensionConfig(String namespace) {
        try {
            return """
                    apiVersion: runtime.cluster.x-k8s.io/v1beta2
                    kind: ExtensionConfig
                    metadata:
                      name: recorder-%1$s
                    spec:
                      clientConfig:
                        url: https://127.0.0.1:%2$d
                        caBundle: %3$s
                      namespaceSelector:
                        matchLabels:
                          kubernetes.io/metadata.name: %1$s
                    """.formatted(
                            namespace,
                            server.getAddress().getPort(),
                            Base64.getEncoder().encodeToString(certificate.pem().getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate can be encoded", e);
        }
    }

    /** Holds upgrades at this hook until it is released. */
    public void hold(String hook) {
        held.add(hook);
    }

    /** Lets upgrades go on at this hook. */
    public void release(String hook) {
        held.remove(hook);
    }

    /** Whether Cluster API has called a hook that is held. */
    public boolean isWaiting(String hook) {
        return waiting.contains(hook);
    }

    /** The hooks in their order. Cluster API may repeat a call before it has stored its result; repetitions are left out. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody());
            String path = exchange.getRequestURI().getPath();
            String hook = HOOKS.stream()
                    .filter(known -> path.equals(path(known)))
                    .findFirst()
                    .orElse("");
            Map<String, Object> response = path.equals(PREFIX + "discovery") ? discovery() : respond(hook, request);
            byte[] body = JSON.writeValueAsBytes(response);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(hook.isEmpty() && !response.containsKey("handlers") ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Map<String, Object> respond(String hook, JsonNode request) {
        boolean wait = held.contains(hook);
        if (wait) {
            waiting.add(hook);
        } else if (!hook.isEmpty()) {
            record(new Call(
                    hook,
                    request.path(hook.startsWith("Before") ? "toKubernetesVersion" : "kubernetesVersion")
                            .asText()));
        }
        return Map.of(
                "apiVersion",
                RuntimeExtensions.API_VERSION,
                "kind",
                hook + "Response",
                "status",
                "Success",
                "message",
                wait ? "held by the recorder" : "",
                "retryAfterSeconds",
                wait ? RETRY_SECONDS : 0);
    }

    private synchronized void record(Call call) {
        if (!calls.contains(call)) {
            calls.add(call);
        }
    }

    private static Map<String, Object> discovery() {
        return Map.of(
                "apiVersion",
                RuntimeExtensions.API_VERSION,
                "kind",
                "DiscoveryResponse",
                "status",
                "Success",
                "message",
                "",
                "handlers",
                HOOKS.stream()
                        .map(hook -> Map.of(
                                "name",
                                name(hook),
                                "requestHook",
                                Map.of("apiVersion", RuntimeExtensions.API_VERSION, "hook", hook),
                                "timeoutSeconds",
                                10,
                                "failurePolicy",
                                "Fail"))
                        .toList());
    }

    private static String path(String hook) {
        return PREFIX + hook.toLowerCase(Locale.ROOT) + "/" + name(hook);
    }

    /** Handler names are DNS labels. */
    private static String name(String hook) {
        return HANDLER + "-" + hook.toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        server.stop(0);
        executor.close();
    }
}
