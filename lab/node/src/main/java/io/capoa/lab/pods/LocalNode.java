package io.capoa.lab.pods;

import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.CacheSyncGate;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Scheduler and kubelet of the lab's management cluster: binds every pod without a node to itself, runs its containers as
 * local processes, and reports its status. {@link #close()} ends all processes and leaves the Pod objects unchanged, as
 * when a node loses power.
 */
public final class LocalNode implements AutoCloseable {

    /**
     * A container that runs as a local process.
     *
     * @param ports loopback port by container port
     */
    public record RunningContainer(
            String namespace,
            String pod,
            String container,
            String program,
            long pid,
            Path log,
            SortedMap<Integer, Integer> ports) {}

    private static final String NAME = KnownUsers.NODE;
    /** Added to the grace period: a process may end in time and be noticed a little later. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final Programs programs;
    private final Caches caches;
    private final Caches.Cache<Pod> pods;
    private final Sources sources;
    private final PodEvents events;
    private final PodRun.Surroundings surroundings;
    private final Endpoints endpoints;
    private final WorkQueue queue;
    private final MemoryLimits memory;
    private final PodWriter writer;
    private final Map<String, PodRun> runs = new ConcurrentHashMap<>();
    private final Map<String, Key> keys = new ConcurrentHashMap<>();
    private final Map<String, Instant> alarms = new ConcurrentHashMap<>();

    private LocalNode(Builder settings) {
        this.client = settings.cluster.clientOf(KnownUsers.NODE);
        this.programs = settings.programs;
        this.caches = new Caches(client);
        this.pods = caches.of(Pod.class);
        this.sources = new Sources(client, this::sourceChanged);
        this.events = new PodEvents(client, NAME);
        this.writer = new PodWriter(client, NAME, pods);
        this.surroundings = new PodRun.Surroundings(
                programs,
                sources,
                events,
                settings.folder.resolve("pods"),
                settings.folder.resolve("logs"),
                settings.backoff,
                settings.onRestart,
                (pod, folder) ->
                        new Identity(client, sources, pod, folder, settings.tokenLifetime, InstantSource.system()));
        this.endpoints = new Endpoints(client, NAME, pods, caches, pod -> runs.get(uid(pod)));
        CacheSyncGate gate = new CacheSyncGate();
        this.queue = new WorkQueue("node", gate.behind(this::work)).watch(pods);
        caches.start();
        gate.open();
        this.memory = new MemoryLimits(() ->
                pods.list().forEach(pod -> MemoryLimits.enforce(pod, runs.get(uid(pod)), events)));
    }

    /** Builder of a node for this cluster. */
    public static Builder of(TestCluster cluster) {
        return new Builder(cluster);
    }

    /** Adds a program and starts the pods that wait for it. */
    public void learn(Program program) {
        programs.add(program);
        pods.list().map(Key::of).forEach(queue::enqueue);
    }

    /** Processes of all pods at this moment. */
    public List<RunningContainer> running() {
        return pods.list()
                .flatMap(pod -> {
                    PodRun run = runs.get(uid(pod));
                    return run == null
                            ? java.util.stream.Stream.<RunningContainer>empty()
                            : run.containers().stream()
                                    .flatMap(container -> container.process().stream()
                                            .map(process -> new RunningContainer(
                                                    pod.getMetadata().getNamespace(),
                                                    pod.getMetadata().getName(),
                                                    container.container().getName(),
                                                    programs.find(container
                                                                    .container()
                                                                    .getImage())
                                                            .map(Program::name)
                                                            .orElse(""),
                                                    process.pid(),
                                                    process.log(),
                                                    container.ports())));
                })
                .toList();
    }

    private @Nullable Duration work(Key key) throws IOException {
        Pod pod = pods.get(key);
        if (pod == null) {
            runs.forEach((uid, run) -> abandon(key, uid));
            return null;
        }
        String node = pod.getSpec().getNodeName();
        if (node == null || node.isEmpty()) {
            if (pod.getMetadata().getDeletionTimestamp() == null) {
                writer.bind(pod);
            }
            return null;
        }
        if (!node.equals(NAME)) {
            return null;
        }
        abandonOthers(key, pod);
        PodRun run = runs.computeIfAbsent(uid(pod), uid -> new PodRun(pod, surroundings, () -> queue.enqueue(key)));
        keys.put(uid(pod), key);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return finish(pod, run);
        }
        Duration next = run.advance(pod);
        endpoints.changed(key.namespace());
        writer.report(pod, run);
        return alarm(uid(pod), next);
    }

    /** Kills the processes of a pod that was deleted without a grace period. */
    private void abandon(Key key, String uid) {
        PodRun run = runs.get(uid);
        if (run != null && key.equals(keys.get(uid))) {
            run.kill();
            forget(uid);
        }
    }

    private void abandonOthers(Key key, Pod pod) {
        runs.keySet().stream().filter(uid -> !uid.equals(uid(pod))).forEach(uid -> abandon(key, uid));
    }

    private void forget(String uid) {
        PodRun run = runs.remove(uid);
        keys.remove(uid);
        alarms.remove(uid);
        if (run != null) {
            try {
                run.clear();
            } catch (IOException e) {
                // A process that is ending still writes here; the folder's name is never reused.
            }
        }
    }

    /** Terminates a pod that is being deleted; removes the object once its processes have ended. */
    private @Nullable Duration finish(Pod pod, PodRun run) {
        run.settle(pod);
        endpoints.changed(pod.getMetadata().getNamespace());
        if (run.isRunning()) {
            run.end();
            Instant latest =
                    Instant.parse(pod.getMetadata().getDeletionTimestamp()).plus(TOLERANCE);
            Duration left = Duration.between(Instant.now(), latest);
            if (left.isNegative()) {
                run.kill();
            }
            writer.report(pod, run);
            return left.isNegative() ? TOLERANCE : left;
        }
        forget(uid(pod));
        events.forget(pod);
        writer.remove(pod);
        return null;
    }

    /** Keeps one requeue timer per pod, however often the pod is reconciled meanwhile. */
    private @Nullable Duration alarm(String uid, @Nullable Duration next) {
        Instant now = Instant.now();
        Instant set = alarms.getOrDefault(uid, Instant.MIN);
        if (next == null || (set.isAfter(now) && !now.plus(next).isBefore(set))) {
            return null;
        }
        alarms.put(uid, now.plus(next));
        return next;
    }

    private void sourceChanged(String namespace) {
        pods.list(namespace).forEach(pod -> queue.enqueue(Key.of(pod)));
    }

    private static String uid(Pod pod) {
        return Objects.requireNonNull(pod.getMetadata().getUid());
    }

    @Override
    public void close() {
        memory.close();
        queue.close();
        endpoints.close();
        runs.values().forEach(PodRun::end);
        runs.values()
                .forEach(run -> run.containers()
                        .forEach(container -> container.process().ifPresent(process -> process.stop())));
        runs.keySet().forEach(this::forget);
        sources.close();
        caches.close();
        client.close();
    }

    /** Settings of a node. */
    public static final class Builder {

        private final TestCluster cluster;
        private Programs programs = new Programs(List.of());
        private Path folder = Path.of("target", "node");
        private Duration backoff = Duration.ofSeconds(1);
        private Duration tokenLifetime = Duration.ofHours(1);
        private Consumer<String> onRestart = sentence -> {};

        private Builder(TestCluster cluster) {
            this.cluster = cluster;
        }

        /** Programs that are run in place of images. */
        public Builder programs(Programs known) {
            programs = known;
            return this;
        }

        /** Parent of {@code logs/} and {@code pods/}. */
        public Builder folder(Path path) {
            folder = path.toAbsolutePath();
            return this;
        }

        /** Initial crash-loop back-off; 10 s in a kubelet. */
        public Builder backoff(Duration first) {
            backoff = first;
            return this;
        }

        /** Lifetime of ServiceAccount tokens; Kubernetes accepts no less than 10 minutes. */
        public Builder tokenLifetime(Duration lifetime) {
            tokenLifetime = lifetime;
            return this;
        }

        /** Receives a sentence when a process has ended unexpectedly. */
        public Builder onRestart(Consumer<String> listener) {
            onRestart = listener;
            return this;
        }

        /** Starts the node and the pods that exist already. */
        public LocalNode start() {
            cluster.empower(KnownUsers.NODE);
            return new LocalNode(this);
        }
    }
}
