package io.capoa.lab.pods;

import io.capoa.lab.actors.Caches;
import io.capoa.lab.actors.Gate;
import io.capoa.lab.actors.Key;
import io.capoa.lab.actors.Loop;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one node of a management cluster of the lab, scheduler and kubelet in one: takes every pod that has no node, runs
 * it as local processes, and says in its status how it fares. When it is closed, all processes have gone; the pods stay
 * as they were last seen, as those of a node that has lost its power.
 */
public final class LocalNode implements AutoCloseable {

    /**
     * A process of a pod.
     *
     * @param ports what the container calls a port, and the loopback port that stands for it
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
    private static final Duration BETWEEN_MEMORY_LOOKS = Duration.ofSeconds(1);
    /** After the grace period, for what ends in time and is seen a little later. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(NAME)
            .withForce(true)
            .build();

    private final KubernetesClient client;
    private final Programs programs;
    private final Caches caches;
    private final Caches.Cache<Pod> pods;
    private final Sources sources;
    private final PodEvents events;
    private final PodRun.Surroundings surroundings;
    private final Endpoints endpoints;
    private final Loop loop;
    private final ScheduledExecutorService memory = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("memory").factory());
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
        Gate gate = new Gate();
        this.loop = new Loop("node", gate.behind(this::work)).watch(pods);
        caches.start();
        gate.open();
        var unused = memory.scheduleAtFixedRate(
                this::lookAtMemory,
                BETWEEN_MEMORY_LOOKS.toMillis(),
                BETWEEN_MEMORY_LOOKS.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** A node of a cluster, still to be started. */
    public static Builder of(TestCluster cluster) {
        return new Builder(cluster);
    }

    /** Knows one more program; pods that wait for it start. */
    public void learn(Program program) {
        programs.add(program);
        pods.list().map(Key::of).forEach(loop::enqueue);
    }

    /** The processes of all pods, as they are now. */
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
                bind(pod);
            }
            return null;
        }
        if (!node.equals(NAME)) {
            return null;
        }
        abandonOthers(key, pod);
        PodRun run = runs.computeIfAbsent(uid(pod), uid -> new PodRun(pod, surroundings, () -> loop.enqueue(key)));
        keys.put(uid(pod), key);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return finish(pod, run);
        }
        Duration next = run.advance(pod);
        endpoints.changed(key.namespace());
        report(pod, run);
        return alarm(uid(pod), next);
    }

    /** A pod that was removed without asking this node: its processes go at once. */
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
                // Files of a process that is just ending; the folder's name is never used again.
            }
        }
    }

    private void bind(Pod pod) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(uid(pod))
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(NAME)
                .endTarget()
                .build();
        client.bindings()
                .inNamespace(pod.getMetadata().getNamespace())
                .resource(binding)
                .create();
    }

    /** Ends a pod that is being deleted; the object goes when its processes have. */
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
            report(pod, run);
            return left.isNegative() ? TOLERANCE : left;
        }
        forget(uid(pod));
        events.forget(pod);
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withGracePeriod(0)
                .delete();
        return null;
    }

    private void report(Pod pod, PodRun run) {
        PodStatus status = PodStatuses.of(pod, run.containers());
        if (PodStatuses.same(pod.getStatus(), status)) {
            return;
        }
        Pod reported = new PodBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(uid(pod))
                .endMetadata()
                .withStatus(status)
                .build();
        try {
            pods.wrote(client.resource(reported)
                    .subresource("status")
                    .patch(APPLY, client.getKubernetesSerialization().asJson(reported)));
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
            // Gone meanwhile, which is an event of its own.
        }
    }

    /** One timer for each pod, however often it is looked at meanwhile. */
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
        pods.list(namespace).forEach(pod -> loop.enqueue(Key.of(pod)));
    }

    /** As the kernel does it: whoever has more than its limit is killed. */
    private void lookAtMemory() {
        pods.list().forEach(pod -> {
            PodRun run = runs.get(uid(pod));
            for (ContainerRun container : run == null ? List.<ContainerRun>of() : run.containers()) {
                container
                        .process()
                        .ifPresent(process -> Limits.memory(container.container())
                                .ifPresent(limit -> Memory.used(process.pid()).ifPresent(used -> {
                                    if (used > limit) {
                                        events.warn(
                                                pod,
                                                "OOMKilling",
                                                "Memory limit of container %s exceeded: %d MiB of %d MiB, killed"
                                                        .formatted(
                                                                container
                                                                        .container()
                                                                        .getName(),
                                                                used >> 20,
                                                                limit >> 20));
                                        container.kill("OOMKilled");
                                    }
                                })));
            }
        });
    }

    private static String uid(Pod pod) {
        return Objects.requireNonNull(pod.getMetadata().getUid());
    }

    @Override
    public void close() {
        memory.shutdownNow();
        loop.close();
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

    /** What a node is started with. */
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

        /** What stands in for images. */
        public Builder programs(Programs known) {
            programs = known;
            return this;
        }

        /** Where {@code logs/} and {@code pods/} come to lie. */
        public Builder folder(Path path) {
            folder = path.toAbsolutePath();
            return this;
        }

        /** The first pause before a container that ends again and again is started again; a kubelet takes 10 s. */
        public Builder backoff(Duration first) {
            backoff = first;
            return this;
        }

        /** How long tokens of ServiceAccounts are good; Kubernetes takes no less than 10 minutes. */
        public Builder tokenLifetime(Duration lifetime) {
            tokenLifetime = lifetime;
            return this;
        }

        /** Told a sentence whenever a process has ended that nobody stopped. */
        public Builder onRestart(Consumer<String> listener) {
            onRestart = listener;
            return this;
        }

        /** Starts the node; pods that are there already start at once. */
        public LocalNode start() {
            cluster.empower(KnownUsers.NODE);
            return new LocalNode(this);
        }
    }
}
