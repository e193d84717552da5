package io.capoa.lab.endurance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.endurance.AnswerReader.Action;
import io.capoa.lab.endurance.AnswerReader.Task;
import io.capoa.lab.manager.ManagerChild;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Answers of workload clusters and registries, other ones for each input, and what a process within the limits of a
 * manager makes of them.
 */
public final class AnswerInputs implements AutoCloseable {

    private static final int NODES = 4;
    private static final long PATIENCE_SECONDS = 150;
    private static final int LONGEST = 16_000;
    /** Of a Machine that leaves, and of an upgrade. */
    private static final Pattern OWN = Pattern.compile(
            "^(DELETE /api/v1/nodes/n-0 .*\"uid\"|exec etcdctl --command-timeout=5s (member remove|move-leader) [0-9a-f]+ "
                    + "|PATCH /apis/config.openshift.io/v1/clusterversions/version .*\"resourceVersion\""
                    + "|PATCH /apis/machineconfiguration.openshift.io/v1/machineconfigpools/worker .*\"resourceVersion\")");

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A cluster whose Machine m-0 leaves.
     *
     * @param left whether its Node has left already, and its member of etcd is still there
     */
    private record Cluster(String kubeconfig, HostileAnswers answers, boolean left) {}

    private final WorkloadClusters clusters = new WorkloadClusters(0).start();
    private final HostileRegistry registry;
    private final List<JsonNode> others;
    private final BlockingQueue<Cluster> whole;
    private final BlockingQueue<Cluster> left;
    private final Map<Action, Integer> requests = new EnumMap<>(Action.class);
    private int requestsOfLeft;
    private final ManagerChild process;
    private final Socket socket;
    private final PrintWriter tasks;
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

    /**
     * Starts the process and clusters, and reads each once as it is.
     *
     * @param others objects whose parts are put into answers
     * @param clients how many inputs there are at a time
     */
    public AnswerInputs(Path folder, List<JsonNode> others, int clients) throws IOException, InterruptedException {
        this.others = List.copyOf(others);
        this.registry = new HostileRegistry();
        this.whole = new ArrayBlockingQueue<>(clients);
        this.left = new ArrayBlockingQueue<>(clients);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            process = ManagerChild.startShipped(
                    AnswerReader.class, folder, Path.of("none"), String.valueOf(server.getLocalPort()));
            server.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            socket = server.accept();
        }
        tasks = new PrintWriter(socket.getOutputStream(), true, UTF_8);
        Thread.ofVirtual().start(this::receive);
        for (int n = 0; n < clients; n++) {
            whole.add(cluster("whole-" + n, false));
            left.add(cluster("left-" + n, true));
        }
        Cluster first = whole.element();
        for (Action action : Action.values()) {
            requests.put(action, honest(first, action));
        }
        requestsOfLeft = honest(left.element(), Action.REMOVAL);
    }

    private int honest(Cluster cluster, Action action) throws InterruptedException {
        cluster.answers.begin(null, 0, false);
        JsonNode result = perform(new Task(-1 - action.ordinal(), Optional.of(action), cluster.kubeconfig, ""));
        if (!result.path("good").asBoolean()) {
            throw new IllegalStateException("%s of an honest cluster: %s".formatted(action, result));
        }
        return cluster.answers.requests();
    }

    private Cluster cluster(String id, boolean hasLeft) throws IOException, InterruptedException {
        Workload cluster = clusters.create(
                id, ReleaseVersions.fromTag("registry.test/ocp-release:%s-x86_64".formatted(AnswerReader.RUNNING)));
        cluster.complete();
        WorkloadApi kubelet = WorkloadApi.of(cluster.kubeletKubeconfig());
        for (int n = 0; n < NODES; n++) {
            var on = kubelet.send("POST", "/machines/n-%d?role=master".formatted(n), Map.of());
            var joined = cluster.api().send("POST", "/api/v1/nodes", node(n));
        }
        cluster.apply(List.of(CLOUD_CONTROLLER_MANAGER));
        if (hasLeft) {
            var deleted = cluster.api().send("DELETE", "/api/v1/nodes/n-0", Map.of());
        }
        HostileAnswers answers = new HostileAnswers();
        cluster.tamper(answers);
        return new Cluster(
                Base64.getEncoder().encodeToString(cluster.kubeconfig().getBytes(UTF_8)), answers, hasLeft);
    }

    private static final Map<String, Object> CLOUD_CONTROLLER_MANAGER = Map.of(
            "apiVersion", "apps/v1",
            "kind", "Deployment",
            "metadata", Map.of("name", "ccm", "namespace", "openshift-cloud-controller-manager"),
            "spec", Map.of("replicas", 1, "selector", Map.of("matchLabels", Map.of("app", "ccm"))),
            "status", Map.of("availableReplicas", 1));

    private static Map<String, Object> node(int n) {
        return Map.of(
                "apiVersion", "v1",
                "kind", "Node",
                "metadata", Map.of("name", "n-" + n, "labels", Map.of("node-role.kubernetes.io/master", "")),
                "spec", Map.of("providerID", "metal3://" + n),
                "status",
                        Map.of(
                                "addresses", List.of(Map.of("type", "InternalIP", "address", "192.0.2." + n)),
                                "conditions", List.of(Map.of("type", "Ready", "status", "True")),
                                "nodeInfo", Map.of("kubeletVersion", "v1.33.5")));
    }

    /** Reads a workload cluster of which one answer is another; returns the mistake that is made, if one is. */
    public Optional<String> workload(int number, Mutations mutations) throws InterruptedException {
        Action action = mutations.any(List.of(Action.values()));
        boolean hasLeft = action == Action.REMOVAL && mutations.below(2) == 0;
        boolean mutated = mutations.below(2) == 0;
        BlockingQueue<Cluster> pool = hasLeft ? left : whole;
        Cluster cluster = pool.take();
        try {
            cluster.answers.begin(mutations, hasLeft ? requestsOfLeft : requests.get(action), mutated);
            JsonNode result = perform(new Task(number, Optional.of(action), cluster.kubeconfig, ""));
            String what = "%s with another answer to %s: ".formatted(action, cluster.answers.changed());
            return wrong(result).or(() -> concluded(cluster, mutated, result)).map(what::concat);
        } finally {
            pool.put(cluster);
        }
    }

    private static Optional<String> concluded(Cluster cluster, boolean mutated, JsonNode result) {
        List<String> writes = cluster.answers.writes();
        String asked = cluster.answers.changed();
        if (writes.stream().anyMatch(write -> !OWN.matcher(write).find())) {
            return Optional.of("changes what is not its own: " + writes);
        }
        if (!mutated
                && !asked.isEmpty()
                && !asked.contains(" endpoint status ")
                && (!writes.isEmpty() || isGood(result))) {
            return Optional.of("concluded from what cannot be read: %s %s".formatted(writes, result.path("text")));
        }
        return Optional.empty();
    }

    private static boolean isGood(JsonNode result) {
        return result.path("good").asBoolean();
    }

    /** An exception, and a text that no condition may have. */
    private static Optional<String> wrong(JsonNode result) {
        String failure = result.path("failure").asText("no result");
        String text = result.path("text").asText();
        if (!failure.isEmpty()) {
            return Optional.of(failure);
        }
        if (text.chars().anyMatch(character -> character != '\n' && Character.isISOControl(character))) {
            return Optional.of("control characters: " + text);
        }
        return text.length() > LONGEST
                ? Optional.of("%d characters: %s".formatted(text.length(), text))
                : Optional.empty();
    }

    /** Resolves a release of a registry that answers otherwise; returns the mistake that is made, if one is. */
    public Optional<String> registry(int number, Mutations mutations) throws InterruptedException {
        String image = registry.begin(number, mutations, others);
        try {
            JsonNode result = perform(new Task(number, Optional.empty(), image, registry.settings(number)));
            return wrong(result)
                    .or(() -> registry.mistake(
                            number, isGood(result), result.path("text").asText()));
        } finally {
            registry.end(number);
        }
    }

    /** Whether the process has survived. */
    public boolean isRunning() {
        return process.isRunning();
    }

    /** What it logged. */
    public String log() throws IOException {
        return process.log();
    }

    private JsonNode perform(Task task) throws InterruptedException {
        CompletableFuture<JsonNode> result = new CompletableFuture<>();
        waiting.put(task.number(), result);
        try {
            String line = JSON.writeValueAsString(task.sent());
            synchronized (tasks) {
                tasks.println(line);
            }
            return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException | IOException e) {
            return JSON.createObjectNode().put("failure", "no result: " + e);
        } finally {
            waiting.remove(task.number());
        }
    }

    private void receive() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                JsonNode result = JSON.readTree(line);
                CompletableFuture<JsonNode> waits =
                        waiting.get(result.path("number").asInt());
                if (waits != null) {
                    waits.complete(result);
                }
            }
        } catch (IOException ended) {
            // The process has ended, which isRunning tells.
        }
        new ArrayList<>(waiting.values())
                .forEach(waits -> waits.complete(JSON.createObjectNode().put("failure", "the process has ended")));
    }

    @Override
    public void close() {
        process.close();
        clusters.close();
        registry.close();
    }
}
