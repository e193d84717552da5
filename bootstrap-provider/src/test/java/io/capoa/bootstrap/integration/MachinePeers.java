package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Takes many Machines of a scene from creation to installed at once, as their peers. */
final class MachinePeers implements AutoCloseable {

    /** Concurrent writes. */
    private static final int WRITERS = 8;

    private static final Duration LATE = Duration.ofSeconds(1);

    private final LongAdder late = new LongAdder();
    private final ConfigScene scene;
    private final Duration pause;
    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService writers = Executors.newScheduledThreadPool(WRITERS);

    /**
     * The peers.
     *
     * @param pause how long a peer takes for each step
     */
    MachinePeers(ConfigScene scene, Duration pause) {
        this.scene = scene;
        this.pause = pause;
    }

    /** Creates the Machines, and returns when the configs of all of them are Ready. */
    void install(int machines) {
        scene.ready();
        try (var infraEnvs = watch(InfraEnv.class, this::publish);
                var configs = watch(OpenshiftAssistedConfig.class, this::boot);
                var agents = watch(Agent.class, this::install)) {
            assertThat(List.of(infraEnvs, configs, agents)).allMatch(SharedIndexInformer::isRunning);
            IntStream.range(0, machines).forEach(n -> writers.execute(() -> scene.machine("m" + n, "{}")));
            ConfigScene.soon("all Ready")
                    .atMost(Duration.ofMinutes(5))
                    .until(() -> IntStream.range(0, machines).allMatch(n -> done.contains("ready m" + n)));
        }
    }

    private void publish(InfraEnv infraEnv) {
        once("boot media of " + name(infraEnv), () -> scene.publishBootMedia(name(infraEnv)));
    }

    private void boot(OpenshiftAssistedConfig config) {
        String machine = name(config).replace("-config", "");
        if (config.getStatus() != null && config.getStatus().dataSecretName() != null) {
            once("host of " + machine, () -> scene.registerAgent("agent-" + machine, machine));
        }
        if (isReady(config)) {
            done.add("ready " + machine);
        }
    }

    private void install(Agent agent) {
        if (Fields.isTrue(agent, "spec", "approved")) {
            once(
                    "installation of " + name(agent),
                    () -> scene.agent(name(agent), "installed", "Installed", "True", "InstallationCompleted", "done"));
        }
    }

    private void once(String step, Runnable write) {
        if (done.add(step)) {
            long due = System.nanoTime() + pause.toNanos();
            var unused = writers.schedule(
                    () -> {
                        write.run();
                        if (System.nanoTime() - due > LATE.toNanos()) {
                            late.increment();
                        }
                    },
                    pause.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    /** Steps that ended late, as on a starved machine: the state before them lasted longer than it should. */
    long late() {
        return late.sum();
    }

    private <R extends HasMetadata> SharedIndexInformer<R> watch(Class<R> kind, Consumer<R> peer) {
        return scene.cluster
                .admin()
                .resources(kind)
                .inNamespace(scene.namespace)
                .inform(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(R resource) {
                        peer.accept(resource);
                    }

                    @Override
                    public void onUpdate(R before, R after) {
                        peer.accept(after);
                    }

                    @Override
                    public void onDelete(R resource, boolean unseen) {}
                });
    }

    private static boolean isReady(OpenshiftAssistedConfig config) {
        return config.getStatus() != null
                && config.getStatus().conditions() != null
                && config.getStatus().conditions().stream()
                        .anyMatch(c -> c.type().equals("Ready") && c.status().equals(Condition.TRUE));
    }

    private static String name(HasMetadata resource) {
        return resource.getMetadata().getName();
    }

    @Override
    public void close() {
        writers.close();
    }
}
