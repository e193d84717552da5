package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.report.ReconcileTriggers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** The number of writes for a Machine when many are installed together on slow peers. */
@ExtendWith(Scenes.class)
@Isolated("its Machines would delay the statuses of others")
class ManyMachinesTest {

    private static final int MACHINES = 60;

    /** Longer than the status of a single Machine is debounced. */
    private static final Duration STEP = Duration.ofMillis(1800);

    @Test
    void aMachineCostsTwoStatuses_howeverLongItsStatesLast_andHasAReasonForItsReconciles(
            ConfigScene scene, BootstrapProcess provider) {
        ReconcileTriggers earlier = ConfigScene.soon("the manager serves metrics")
                .ignoreExceptions()
                .until(provider::triggers, Objects::nonNull);
        long late;
        try (MachinePeers peers = new MachinePeers(scene, STEP)) {
            peers.install(MACHINES);
            late = peers.late();
        }

        scene.provider.awaitRest();
        List<AuditEntry> statuses = scene.provider.writes("openshiftassistedconfigs", "status");
        Map<Long, Long> machinesByStatuses =
                statuses.stream()
                        .collect(Collectors.groupingBy(AuditEntry::name, Collectors.counting()))
                        .values()
                        .stream()
                        .collect(Collectors.groupingBy(count -> count, Collectors.counting()));
        // That the data exists and that the host is Ready is written at once, and so is a state of the last Machines
        // of a step, or one that lasts because the peers are late.
        assertThat((double) statuses.size())
                .as("Machines by number of status writes: %s, %d late steps", machinesByStatuses, late)
                .isBetween(2.0 * MACHINES, 2.5 * MACHINES + late);
        assertReasons(provider.triggers().since(earlier));
        assertNoReasonInTheCourseOfTheInstallation(scene, provider);
    }

    /**
     * Reconciles of a Machine that write nothing: one begins the download of its ignition, the others are for statuses that
     * are held back. That Metal3 takes a host wakes once, or twice: as the events of its two objects come.
     */
    private static void assertReasons(ReconcileTriggers triggers) {
        Map<String, Long> idle = new TreeMap<>(triggers.idle());
        idle.remove("timer");
        assertThat(triggers.wrote()).as("wrote").containsKeys("Agent", "downloads");
        assertThat(idle.values())
                .as("without a write for %d Machines: %s", MACHINES, idle)
                .allMatch(count -> count <= 2 * MACHINES)
                .satisfies(counts -> assertThat(
                                counts.stream().mapToLong(Long::longValue).sum())
                        .isLessThanOrEqualTo(5 * MACHINES));
    }

    /** Nothing that is decided for hosts that may boot depends on it. */
    private static void assertNoReasonInTheCourseOfTheInstallation(ConfigScene scene, BootstrapProcess provider) {
        ReconcileTriggers earlier = provider.triggers();
        for (String state : List.of("preparing-for-installation", "installing", "finalizing")) {
            scene.installState(state);
        }
        // Each host is woken by the end of the installation, after what does not wake it.
        scene.installState("adding-hosts");
        ConfigScene.soon("reconciled at the end of the installation")
                .until(() -> provider.triggers().since(earlier).sum() >= MACHINES);
        ReconcileTriggers triggers = provider.triggers().since(earlier);
        assertThat(triggers.of("AgentClusterInstall")).as("%s", triggers).isLessThanOrEqualTo(MACHINES);
    }
}
