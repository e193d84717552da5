package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.endurance.EnduranceReport;
import io.capoa.lab.endurance.Finding;
import io.capoa.lab.endurance.Invariants;
import io.capoa.lab.endurance.Plan;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Several clusters at once are installed, operated and deleted, one life after the other, while managers, API server, etcd
 * and the clusters' own APIs are killed, frozen and interrupted as the seed says.
 */
@Tag("endurance")
@Isolated("It kills everything.")
@ExtendWith(WholeLab.Shared.class)
class EnduranceTest {

    private static final long SEED = Long.getLong("capoa.seed", System.nanoTime() & 0xffffff);
    private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("capoa.endurance.minutes", 20));
    private static final int CLUSTERS = Integer.getInteger("capoa.endurance.clusters", 3);
    private static final int KILLS_PER_MINUTE = 2;

    @Test
    void whateverFails_nothingIsMadeTwice_nothingIsLeft_andEveryOperationEnds(WholeLab lab) throws Exception {
        System.out.printf("endurance: seed %d, %d minutes, %d clusters%n", SEED, TIME.toMinutes(), CLUSTERS);
        Plan plan = new Plan(SEED);
        EnduranceReport report = new EnduranceReport("faults", SEED);
        Invariants invariants =
                new Invariants(Stream.of(Provider.values()).map(Provider::user).collect(Collectors.toSet()));
        lab.startStandbys();
        register(lab.admin());
        long end = System.nanoTime() + TIME.toNanos();
        BooleanSupplier over = () -> System.nanoTime() - end > 0;
        List<LifeUnderFire> lives = new CopyOnWriteArrayList<>();
        try (FaultInjector fire = new FaultInjector(
                        lab,
                        invariants,
                        plan.faults(),
                        report,
                        () -> lives.stream()
                                .map(LifeUnderFire::now)
                                .filter(now -> !now.isEmpty())
                                .collect(Collectors.joining(", ")));
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicInteger number = new AtomicInteger();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLUSTERS; i++) {
                LifeUnderFire life = new LifeUnderFire(lab, fire, invariants, report, over);
                lives.add(life);
                running.add(executor.submit(() -> {
                    while (!over.getAsBoolean()) {
                        life.live(plan.life(number.getAndIncrement()));
                    }
                    return null;
                }));
            }
            for (Future<?> life : running) {
                life.get();
            }
            fire.cease();
        } finally {
            report.findAll(invariants.findings());
            System.out.println(report.summary());
            System.out.println("The whole report: " + report.write());
        }
        assertThat(report.findings()).extracting(Finding::toString).isEmpty();
        assertThat(report.figure("kills")).isGreaterThanOrEqualTo(KILLS_PER_MINUTE * (int) TIME.toMinutes());
    }

    /** Workers follow in place in all namespaces. */
    private static void register(KubernetesClient admin) throws Exception {
        var unused = admin.resource(Files.readString(
                        ProjectRoot.find().resolve("config/controlplane/runtime-extension/extension_config.yaml")))
                .create();
    }
}
