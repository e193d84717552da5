package io.capoa.lab.bootstrap;

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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the bootstrap provider costs: many Machines at once in one namespace, their neighbours answering at
 * once. By its name it is no test of the build: it is run by hand, see the documentation of the tests.
 */
@ExtendWith(SharedCluster.class)
class BootstrapBenchmark {

    private static final int WARM_UP = Integer.getInteger("capoa.warmup", 50);
    private static final int MACHINES = Integer.getInteger("capoa.machines", 200);

    @Test
    void manyMachinesAtOnce(TestCluster cluster) {
        try (Scene warmUp = new Scene(cluster, "");
                Scene scene = new Scene(cluster, "");
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

    /** From creation to installed, all at once. */
    private static void install(Scene scene, int machines) {
        scene.ready();
        IntStream.range(0, machines).parallel().forEach(n -> scene.machine("m" + n, "{}"));
        Set<String> done = ConcurrentHashMap.newKeySet();
        Scene.soon("all Ready")
                .atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    list(scene, InfraEnv.class).stream()
                            .map(BootstrapBenchmark::name)
                            .filter(name -> done.add("boot media of " + name))
                            .toList()
                            .parallelStream()
                            .forEach(scene::publishBootMedia);
                    List<OpenshiftAssistedConfig> configs = list(scene, OpenshiftAssistedConfig.class);
                    configs.stream()
                            .filter(config -> config.getStatus() != null
                                    && config.getStatus().dataSecretName() != null)
                            .map(config -> name(config).replace("-config", ""))
                            .filter(machine -> done.add("host of " + machine))
                            .toList()
                            .parallelStream()
                            .forEach(machine -> scene.registerAgent("agent-" + machine, machine));
                    list(scene, Agent.class).stream()
                            .filter(agent -> Fields.isTrue(agent, "spec", "approved"))
                            .map(BootstrapBenchmark::name)
                            .filter(agent -> done.add("installation of " + agent))
                            .toList()
                            .parallelStream()
                            .forEach(agent -> scene.agent(
                                    agent, "installed", "Installed", "True", "InstallationCompleted", "done"));
                    return configs.size() == machines && configs.stream().allMatch(BootstrapBenchmark::isReady);
                });
    }

    private static boolean isReady(OpenshiftAssistedConfig config) {
        return config.getStatus() != null
                && config.getStatus().conditions() != null
                && config.getStatus().conditions().stream()
                        .anyMatch(c -> c.type().equals("Ready") && c.status().equals(Condition.TRUE));
    }

    private static <R extends HasMetadata> List<R> list(Scene scene, Class<R> kind) {
        return scene.cluster
                .admin()
                .resources(kind)
                .inNamespace(scene.namespace)
                .list()
                .getItems();
    }

    private static String name(HasMetadata resource) {
        return resource.getMetadata().getName();
    }
}
