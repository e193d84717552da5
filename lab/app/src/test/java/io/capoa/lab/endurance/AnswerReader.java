package io.capoa.lab.endurance;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.controlplane.v1beta1.UpgradeSettings;
import io.capoa.controlplane.release.PullSecret;
import io.capoa.controlplane.release.RegistryAccess;
import io.capoa.controlplane.release.RegistryMirrors;
import io.capoa.controlplane.release.Release;
import io.capoa.controlplane.release.ReleaseRequest;
import io.capoa.controlplane.release.Releases;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ReleaseName;
import io.capoa.controlplane.upgrade.RequestedKubernetes;
import io.capoa.controlplane.upgrade.TargetImage;
import io.capoa.controlplane.upgrade.UpgradeConsent;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeRequest;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.health.CloudControllerState;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.health.HealthRounds;
import io.capoa.controlplane.workload.removal.MachineIdentity;
import io.capoa.controlplane.workload.removal.NodeRemoval.Leaving;
import io.capoa.controlplane.workload.removal.NodeRemover;
import io.capoa.controlplane.workload.upgrade.ClusterUpgrader;
import io.capoa.controlplane.workload.upgrade.NodeUpdate;
import io.capoa.runtime.logging.LogFormat;
import io.capoa.runtime.logging.LogLevel;
import io.capoa.runtime.logging.Logging;
import io.capoa.runtime.lookup.LookupResult;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A process with the classes by which the control-plane provider reads registries and workload clusters, on demand: a
 * manager asks a registry that failed after up to a minute, and a cluster that it cannot read every ten seconds.
 */
public final class AnswerReader {

    /** Release that the workload cluster runs, and the next one. */
    static final String RUNNING = "4.20.3";

    static final String NEXT = "4.20.4";

    private static final int NODES = 4;
    private static final long PATIENCE_SECONDS = 120;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a manager does with a workload cluster. */
    public enum Action {
        READINESS,
        UPGRADE,
        ETCD,
        HEALTH,
        CLOUD_CONTROLLER,
        NODE_UPDATE,
        REMOVAL,
        REQUEST_UPGRADE,
        PAUSE_POOLS
    }

    /**
     * What is to be read.
     *
     * @param action empty for a registry
     * @param subject the release image, or the kubeconfig in base64
     * @param settings {@code registries.conf}
     */
    public record Task(int number, Optional<Action> action, String subject, String settings) {

        Map<String, Object> sent() {
            return Map.of(
                    "number", number,
                    "action", action.map(Action::name).orElse(""),
                    "subject", subject,
                    "settings", settings);
        }

        static Task received(Map<?, ?> line) {
            String action = String.valueOf(line.get("action"));
            return new Task(
                    (Integer) line.get("number"),
                    action.isEmpty() ? Optional.empty() : Optional.of(Action.valueOf(action)),
                    String.valueOf(line.get("subject")),
                    String.valueOf(line.get("settings")));
        }
    }

    /**
     * What was read.
     *
     * @param good whether nothing was found to be wrong
     * @param text of it
     * @param failure stack trace of an exception; empty for none
     */
    public record Result(boolean good, String text, String failure) {}

    private final Releases releases = Releases.start(RegistryAccess.direct());
    private final Map<ResourceID, CompletableFuture<Boolean>> waiting = new ConcurrentHashMap<>();
    private final PrintWriter out;

    private AnswerReader(PrintWriter out) {
        this.out = out;
        releases.onChange(waiter -> {
            CompletableFuture<Boolean> waits = waiting.get(waiter);
            if (waits != null) {
                waits.complete(true);
            }
        });
    }

    /** Reads tasks from the port that the first argument names, and answers there. */
    public static void main(String[] arguments) throws IOException {
        Logging.configure(LogFormat.JSON, LogLevel.INFO);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            AnswerReader reader = new AnswerReader(out);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Task task = Task.received(JSON.readValue(line, Map.class));
                threads.execute(() -> reader.perform(task));
            }
        }
    }

    private void perform(Task task) {
        Result result;
        try {
            result = task.action.isEmpty() ? release(task) : workload(task.action.get(), task.subject);
        } catch (Exception | StackOverflowError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            result = new Result(false, "", trace.toString());
        }
        try {
            String line = JSON.writeValueAsString(
                    Map.of("number", task.number, "good", result.good, "text", result.text, "failure", result.failure));
            synchronized (out) {
                out.println(line);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Result release(Task task) throws Exception {
        ResourceID waiter = new ResourceID("n" + task.number, "namespace-" + task.number % 6);
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        waiting.put(waiter, answered);
        try {
            ReleaseRequest request = new ReleaseRequest(
                    task.subject, PullSecret.anonymous(), new RegistryAccess(RegistryMirrors.parse(task.settings), ""));
            LookupResult<Release> found = releases.lookup(waiter, request);
            if (found instanceof LookupResult.Pending<Release>) {
                answered.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                found = releases.lookup(waiter, request);
            }
            return switch (found) {
                case LookupResult.Known<Release> known -> new Result(true, JSON.writeValueAsString(known.value()), "");
                case LookupResult.Failed<Release> failed ->
                    new Result(false, failed.reason() + ": " + failed.message(), "");
                case LookupResult.Pending<Release> pending -> new Result(false, "", "no answer: " + pending);
            };
        } finally {
            waiting.remove(waiter);
        }
    }

    private static Result workload(Action action, String kubeconfig) {
        return switch (action) {
            case READINESS -> {
                boolean ready = InstalledCluster.readiness(kubeconfig).ready();
                yield new Result(ready, "ready " + ready, "");
            }
            case UPGRADE -> {
                ClusterUpgradeState state = InstalledCluster.upgrade(kubeconfig, NEXT);
                yield new Result(state.failure().isEmpty() && state.isAtRest(RUNNING), state.toString(), "");
            }
            case ETCD -> {
                EtcdState state = InstalledCluster.etcdState(kubeconfig);
                yield new Result(state.isGood(NODES), state.toString(), "");
            }
            case HEALTH -> {
                ControlPlaneHealth health =
                        InstalledCluster.health(kubeconfig, new HealthRounds(false), "anything", Clock.systemUTC());
                boolean well = health.loss() == ControlPlaneHealth.Loss.NONE
                        && health.etcd().unknown().isEmpty();
                yield new Result(well, health.toString(), "");
            }
            case CLOUD_CONTROLLER -> {
                CloudControllerState state = InstalledCluster.cloudController(kubeconfig);
                yield new Result(state.isReady(), state.toString(), "");
            }
            case NODE_UPDATE -> {
                NodeUpdate update = InstalledCluster.nodeUpdate(kubeconfig, "n-1");
                yield new Result(update.unreachable().isEmpty(), update.toString(), "");
            }
            case REMOVAL -> {
                NodeRemover.Outcome outcome = NodeRemover.proceed(kubeconfig, leaving(), () -> null, Clock.systemUTC());
                yield new Result(outcome instanceof NodeRemover.Outcome.Changed, outcome.toString(), "");
            }
            case REQUEST_UPGRADE -> {
                UpgradeDecision.Change planned = new UpgradeDecision.Request(new ReleaseName(NEXT, "image"), false);
                UpgradeDecision made = ClusterUpgrader.proceed(kubeconfig, upgrade(List.of()), planned, () -> null);
                yield new Result(made instanceof UpgradeDecision.Change, made.toString(), "");
            }
            case PAUSE_POOLS -> {
                Optional<String> done =
                        ClusterUpgrader.pausePools(kubeconfig, upgrade(List.of("worker")), "control-plane", () -> null);
                yield new Result(done.isPresent() && done.get().startsWith("paus"), done.orElse(""), "");
            }
        };
    }

    /** To the next release, which the update service does not offer. */
    private static UpgradeRequest upgrade(List<String> pausedPools) {
        UpgradeSettings settings = JSON.convertValue(
                Map.of("allowExplicitUpgrade", true, "pausedWorkerPools", pausedPools), UpgradeSettings.class);
        return new UpgradeRequest(
                NEXT,
                settings,
                null,
                RequestedKubernetes.NONE,
                new TargetImage.Resolved("registry.test/ocp-release@sha256:" + "4".repeat(64), "1.33.5"),
                UpgradeConsent.NONE);
    }

    private static Leaving leaving() {
        return new Leaving(
                machine(0),
                IntStream.range(1, NODES).mapToObj(AnswerReader::machine).toList(),
                2,
                2);
    }

    private static MachineIdentity machine(int n) {
        return new MachineIdentity("m-" + n, "metal3://" + n, "n-" + n, Set.of("192.0.2." + n), Set.of());
    }
}
