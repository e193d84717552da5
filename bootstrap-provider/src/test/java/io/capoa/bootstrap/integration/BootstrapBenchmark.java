package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.report.ProcessFigures;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * CPU time of the bootstrap provider for many Machines at once in one namespace, with peers that respond
 * immediately. Not part of the build; run by hand, see docs/testing.md.
 */
@ExtendWith(SharedCluster.class)
class BootstrapBenchmark {

    private static final int WARM_UP = Integer.getInteger("capoa.warmup", 200);
    /** Concurrent writes. */
    private static final int PEERS = 8;

    private static final int MACHINES = Integer.getInteger("capoa.machines", 200);

    @Test
    void manyMachinesAtOnce(TestCluster cluster) {
        try (ConfigScene warmUp = new ConfigScene(cluster, "");
                ConfigScene scene = new ConfigScene(cluster, "");
                BootstrapProcess provider = BootstrapProcess.start(cluster)) {
            install(warmUp, WARM_UP);
            ProcessFigures before = provider.figures();
            Instant begin = Instant.now();

            install(scene, MACHINES);

            double wall = Duration.between(begin, Instant.now()).toMillis() / 1000.0;
            ProcessFigures after = provider.figures();
            List<AuditEntry> writes = scene.provider.writes();
            System.out.printf(
                    "%d Machines: %.1f s, CPU %.2f s per 100 Machines, peak memory %d MiB, "
                            + "%.2f writes per Machine, %d conflicts%n",
                    MACHINES,
                    wall,
                    (after.cpuSeconds() - before.cpuSeconds()) * 100 / MACHINES,
                    after.peakMemoryMiB(),
                    (double) writes.size() / MACHINES,
                    writes.stream().filter(write -> write.code() == 409).count());
            assertThat(writes.stream()
                            .filter(write -> !write.succeeded())
                            .map(write ->
                                    write.verb() + " " + write.resource() + " " + write.name() + " " + write.code()))
                    .isEmpty();
        }
    }

    /** Takes all Machines from creation to installed at once, with peers that respond immediately. */
    private static void install(ConfigScene scene, int machines) {
        scene.ready();
        Set<String> done = ConcurrentHashMap.newKeySet();
        try (ExecutorService peers = Executors.newFixedThreadPool(PEERS);
                var infraEnvs = watch(scene, InfraEnv.class, infraEnv -> {
                    if (done.add("boot media of " + name(infraEnv))) {
                        peers.execute(() -> scene.publishBootMedia(name(infraEnv)));
                    }
                });
                var configs = watch(scene, OpenshiftAssistedConfig.class, config -> {
                    String machine = name(config).replace("-config", "");
                    if (config.getStatus() != null
                            && config.getStatus().dataSecretName() != null
                            && done.add("host of " + machine)) {
                        peers.execute(() -> scene.registerAgent("agent-" + machine, machine));
                    }
                    if (isReady(config)) {
                        done.add("ready " + machine);
                    }
                });
                var agents = watch(scene, Agent.class, agent -> {
                    if (Fields.isTrue(agent, "spec", "approved") && done.add("installation of " + name(agent))) {
                        peers.execute(() -> scene.agent(
                                name(agent), "installed", "Installed", "True", "InstallationCompleted", "done"));
                    }
                })) {
            assertThat(List.of(infraEnvs, configs, agents)).allMatch(SharedIndexInformer::isRunning);
            IntStream.range(0, machines).forEach(n -> peers.execute(() -> scene.machine("m" + n, "{}")));
            ConfigScene.soon("all Ready")
                    .atMost(Duration.ofMinutes(5))
                    .until(() -> IntStream.range(0, machines).allMatch(n -> done.contains("ready m" + n)));
        }
    }

    private static <R extends HasMetadata> SharedIndexInformer<R> watch(
            ConfigScene scene, Class<R> kind, Consumer<R> peer) {
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
}
