package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Anybody who can connect posts five megabytes of empty objects to a manager, with its own JVM options and limits. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class AdmissionBombTest {

    private static final String SCOPE = "--namespace=admission-bomb";
    private static final Duration ATTACK = Duration.ofSeconds(5);
    /** Of the shipped webhook configurations, after which the API server gives a review up. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int ATTACKERS = 4;
    private static final String BOMB = review("\"x\":[" + String.join(",", Collections.nCopies(1_700_000, "{}")) + "]");

    @TempDir
    private Path folder;

    private static String review(String fields) {
        return "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\","
                + fields + "}}";
    }

    @Test
    void theBootstrapProvider_refusesThem_andAnswersOthers(TestCluster cluster) throws Exception {
        try (var manager = ShippedManager.bootstrap(cluster, folder, SCOPE).ready()) {
            attack(manager, ShippedManager.CONFIG_REVIEWS);
        }
    }

    @Test
    void theControlPlaneProvider_refusesThem_andAnswersOthers(TestCluster cluster) throws Exception {
        try (var manager = ShippedManager.controlPlane(cluster, folder, SCOPE).ready()) {
            attack(manager, ShippedManager.CONTROL_PLANE_REVIEWS);
        }
    }

    private static void attack(ShippedManager manager, String path) throws Exception {
        try (var attackers = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean over = new AtomicBoolean();
            Set<Integer> statuses = ConcurrentHashMap.newKeySet();
            List<Duration> taken = new ArrayList<>();
            for (int i = 0; i < ATTACKERS; i++) {
                String target = i % 2 == 0 ? path : ShippedManager.CONVERSION;
                attackers.execute(() -> {
                    while (!over.get()) {
                        statuses.add(bomb(manager, target));
                    }
                });
            }
            try {
                long end = System.nanoTime() + ATTACK.toNanos();
                while (System.nanoTime() < end) {
                    long begin = System.nanoTime();
                    assertThat(manager.post(path, review("\"operation\":\"DELETE\""))
                                    .body())
                            .contains("\"allowed\":true");
                    taken.add(Duration.ofNanos(System.nanoTime() - begin));
                }
            } finally {
                over.set(true);
            }
            taken.sort(null);
            System.out.printf(
                    "%d reviews, nine of ten within %d ms, all within %d ms; bombs: %s%n",
                    taken.size(),
                    taken.get(taken.size() * 9 / 10).toMillis(),
                    taken.getLast().toMillis(),
                    statuses);
            assertThat(taken.get(taken.size() * 9 / 10)).isLessThan(TIMEOUT);
            assertThat(statuses).contains(413).doesNotContain(200, 500);
            assertThat(manager.process().isRunning()).isTrue();
            assertThat(manager.process().isReady()).isTrue();
        }
    }

    /** Zero for a connection that was closed. */
    private static int bomb(ShippedManager manager, String path) {
        try {
            return manager.post(path, BOMB).statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
