package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Both managers killed at 20 random points of upgrades. It takes minutes, so it runs with the end-to-end suites. */
@Tag("e2e")
@ExtendWith(WholeLab.Shared.class)
class KilledUpgradeTest {

    /** Over a minor version, with patches on both sides, back and forth again. */
    private static final List<String> KILLED_UPGRADES = List.of("4.20.5", "4.21.1", "4.21.3", "4.21.1", "4.21.3");

    /** Kills during each of these upgrades: 20 together. */
    private static final int KILLS = 4;

    private static final int LONGEST_LIFE_MILLIS = 2500;

    @Test
    void managersKilledAtRandomPoints_upgradeTheClusterAllTheSame_andAskForEachReleaseOnce(WholeLab lab)
            throws InterruptedException {
        String namespace = lab.namespace(5);
        lab.apply(namespace, WholeLab.sample());
        lab.awaitReady(namespace);
        Map<String, String> machines = Upgrades.uids(lab, namespace);
        Map<String, Long> hosts = Upgrades.hostGenerations(lab, namespace);
        long seed = System.nanoTime();
        System.out.println("seed of the random kills: " + seed);
        Random random = new Random(seed);
        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            await().atMost(Upgrades.PATIENCE)
                    .until(() -> !Upgrades.generation(workload).equals(0L));
            long asked = Upgrades.generation(workload);
            for (String version : KILLED_UPGRADES) {
                Upgrades.upgrade(lab, namespace, version, ",\"upgrade\":{\"channel\":\"stable-4.21\"}");
                for (int kill = 0; kill < KILLS; kill++) {
                    Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
                    lab.replaceKilledProviders();
                }
                Upgrades.awaitRunning(lab, namespace, version);
            }

            assertThat(Upgrades.generation(workload))
                    .as("one request for each release and one change of the channel, none of them twice")
                    .isEqualTo(asked + KILLED_UPGRADES.size() + 1);
            assertThat(Upgrades.versions(workload).reversed())
                    .isEqualTo(Stream.concat(Stream.of("4.20.3"), KILLED_UPGRADES.stream())
                            .map(version -> "Completed " + version)
                            .toList());
        }

        lab.awaitReady(namespace);
        assertThat(Upgrades.uids(lab, namespace)).isEqualTo(machines);
        assertThat(Upgrades.hostGenerations(lab, namespace)).isEqualTo(hosts);
    }
}
