package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.report.ProcessFigures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * CPU time of the bootstrap provider for many Machines at once in one namespace, with peers that respond
 * immediately. Not part of the build; run by hand, see docs/testing.md.
 */
@ExtendWith(SharedCluster.class)
class BootstrapBenchmark {

    private static final int WARM_UP = Integer.getInteger("capoa.warmup", 200);
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

    private static void install(ConfigScene scene, int machines) {
        try (MachinePeers peers = new MachinePeers(scene, Duration.ZERO)) {
            peers.install(machines);
        }
    }
}
