package io.capoa.lab.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.progress.ClusterRow.Count;
import io.capoa.lab.progress.ClusterRow.Replicas;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTest {

    private static final MachineRow WORKER = new MachineRow(
            "multinode-worker-kkj8c-tbtnz", false, "Provisioning", "host-12", "Waiting for control plane", 57);

    @Test
    void theSamplesLongestLines_fitEightyColumns() {
        ClusterRow row = installing("demo", "preparing-for-installation", 0, List.of(WORKER));

        List<String> lines = Table.lines(List.of(row), Duration.ofMillis(1234), 24, 80);

        assertThat(lines.getFirst()).isEqualTo("1.2 s   0 of 1 cluster ready");
        assertThat(lines.get(1))
                .isEqualTo("demo/multinode  preparing-for-installation 0 %  control plane 1/3  workers 0/2");
        assertThat(lines.get(2)).contains("host-12").contains("57 %").contains("Waiting for co");
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    @ParameterizedTest
    @ValueSource(ints = {79, 60, 40, 30})
    void aNarrowTerminal_keepsTheReason(int width) {
        ClusterRow row = installing("demo", "preparing-for-installation", 0, List.of(WORKER));

        List<String> lines = Table.lines(List.of(row), Duration.ofMillis(1234), 40, width);

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
        assertThat(words(lines)).contains("Waiting for control plane", "control plane 1/3", "workers 0/2", "host-12");
        assertThat(words(lines)).contains("tbtnz");
    }

    @Test
    void aFailedInstallation_showsItsRemedy() {
        ClusterRow row = new ClusterRow(
                "demo",
                "multinode",
                "error",
                80,
                new Replicas(new Count(0, 3), new Count(0, 2)),
                false,
                List.of("the pull secret"),
                List.of(WORKER),
                List.of(
                        "InstallFailed: cluster installation failed",
                        "* OpenshiftAssistedConfig a: host-1 failed while Writing image to disk",
                        "To try again, correct the cause and set annotation controlplane.cluster.x-k8s.io/retry-install"
                                + " to a new value"));

        List<String> lines = Table.lines(List.of(row), Duration.ZERO, 24, 80);

        assertThat(lines.subList(2, 4))
                .containsExactly(
                        "  ! InstallFailed: cluster installation failed",
                        "  ! * OpenshiftAssistedConfig a: host-1 failed while Writing image to disk");
        assertThat(words(lines)).contains("set annotation controlplane.cluster.x-k8s.io/retry-install to a new value");
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        assertThat(lines.getLast()).contains("Waiting for control plane");
    }

    @Test
    void whenThereIsNoRoomForMachines_theFailureStays() {
        ClusterRow row = new ClusterRow(
                "demo",
                "multinode",
                "error",
                80,
                new Replicas(new Count(0, 3), new Count(0, 2)),
                false,
                List.of(),
                List.of(WORKER, WORKER, WORKER),
                List.of("InstallFailed: no space left"));

        assertThat(Table.lines(List.of(row), Duration.ZERO, 6, 80))
                .hasSize(3)
                .last()
                .isEqualTo("  ! InstallFailed: no space left");
    }

    private static String words(List<String> lines) {
        return String.join(" ", lines).replaceAll(" +", " ");
    }

    @Test
    void aWideTerminal_showsWholeStages() {
        ClusterRow row = installing("demo", "installing", 42, List.of(WORKER));

        assertThat(Table.lines(List.of(row), Duration.ZERO, 24, 132))
                .anySatisfy(line -> assertThat(line).endsWith("57 % Waiting for control plane"));
    }

    @Test
    void aClusterWithoutMachines_saysWhatItWaitsFor() {
        ClusterRow row = installing("demo", "preparing", -1, List.of());

        assertThat(Table.lines(List.of(row), Duration.ZERO, 24, 80)).contains("  the pull secret");
    }

    @Test
    void clustersInWork_comeBeforeReadyOnes_andWhatDoesNotFitIsCounted() {
        List<ClusterRow> rows = IntStream.range(0, 40)
                .mapToObj(i -> i % 2 == 0 ? ready("demo-" + i) : installing("demo-" + i, "installing", 1, List.of()))
                .toList();

        List<String> lines = Table.lines(rows, Duration.ZERO, 12, 80);

        assertThat(lines).hasSizeLessThanOrEqualTo(12);
        assertThat(lines.get(1)).startsWith("demo-1/");
        assertThat(lines.getLast()).matches("… and \\d+ more");
    }

    @Test
    void aFailure_isFirst_andWhatOfItDoesNotFit_isCounted() {
        List<ClusterRow> rows = List.of(
                installing("demo-1", "installing", 10, List.of()),
                failed("demo-2", "Host a: no disk", "Host b: no disk", "Host c: no disk"));

        List<String> lines = Table.lines(rows, Duration.ZERO, 6, 80);

        assertThat(lines).hasSize(5);
        assertThat(lines.get(1)).startsWith("demo-2/");
        assertThat(lines.subList(2, 5))
                .containsExactly(
                        "  ! Host a: no disk", "  ! Host b: no disk", "… and 1 more, 1 more line about failures");
        assertThat(Table.lines(rows, Duration.ZERO, 7, 80)).endsWith("  ! Host c: no disk", "… and 1 more");
    }

    @Test
    void failuresOfHiddenClusters_areCounted() {
        List<ClusterRow> rows = List.of(failed("demo-1", "one"), failed("demo-2", "two", "three"));

        assertThat(Table.lines(rows, Duration.ZERO, 4, 80))
                .last()
                .isEqualTo("… and 1 more, 3 more lines about failures");
    }

    private static ClusterRow failed(String namespace, String... failure) {
        return new ClusterRow(
                namespace,
                "multinode",
                "failed",
                10,
                new Replicas(new Count(1, 3), new Count(0, 2)),
                false,
                List.of(),
                List.of(),
                List.of(failure));
    }

    private static ClusterRow installing(String namespace, String state, int percent, List<MachineRow> machines) {
        return new ClusterRow(
                namespace,
                "multinode",
                state,
                percent,
                new Replicas(new Count(1, 3), new Count(0, 2)),
                false,
                List.of("the pull secret"),
                machines);
    }

    private static ClusterRow ready(String namespace) {
        return new ClusterRow(
                namespace,
                "multinode",
                "ready",
                100,
                new Replicas(new Count(3, 3), new Count(2, 2)),
                true,
                List.of(),
                List.of());
    }
}
