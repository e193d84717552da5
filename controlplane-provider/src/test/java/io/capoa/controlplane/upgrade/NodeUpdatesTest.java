package io.capoa.controlplane.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.testing.OffsetClock;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whether nodes are being updated, on a cluster that was never upgraded. */
class NodeUpdatesTest {

    private static final ResourceID ONE = new ResourceID("one", "ns");

    private final OffsetClock clock = new OffsetClock();
    private final NodeUpdates updates = new NodeUpdates(clock);

    @Test
    void aMachineConfig_isAnUpdate_withoutAnyUpgrade() {
        assertThat(updates.progress(ONE, state(pool("worker", false, 2, true)))).isEmpty();
        assertThat(updates.progress(ONE, state(pool("worker", false, 1, false))))
                .isEqualTo("worker 1 of 2 nodes");
        assertThat(updates.progress(ONE, state(pool("worker", true, 1, false))))
                .as("a paused pool")
                .isEmpty();
    }

    @Test
    void anUpdateWithoutProgressForAnHour_isNone_untilItGetsOn() {
        ClusterUpgradeState first = state(pool("worker", false, 0, false));
        assertThat(updates.progress(ONE, first)).isNotEmpty();
        clock.pass(Duration.ofMinutes(59));
        assertThat(updates.progress(ONE, first)).isNotEmpty();
        clock.pass(Duration.ofMinutes(1));
        assertThat(updates.progress(ONE, first)).as("a node may be dead").isEmpty();
        assertThat(updates.progress(ONE, state(pool("worker", false, 1, false))))
                .isNotEmpty();
    }

    @Test
    void aClusterThatDoesNotAnswer_isWhereItWas() {
        assertThat(updates.progress(ONE, null)).isEmpty();
        assertThat(updates.progress(ONE, state(pool("master", false, 1, false))))
                .isNotEmpty();
        clock.pass(Duration.ofMinutes(30));
        assertThat(updates.progress(ONE, null)).isEqualTo("master 1 of 2 nodes");
        assertThat(updates.progress(ONE, ClusterUpgradeState.unreachable("no connection")))
                .isEqualTo("master 1 of 2 nodes");
        clock.pass(Duration.ofMinutes(30));
        assertThat(updates.progress(ONE, state(pool("master", false, 1, false))))
                .as("the hour goes on")
                .isEmpty();
        updates.forget(ONE);
        assertThat(updates.progress(ONE, null)).isEmpty();
    }

    private static ClusterUpgradeState state(PoolState pool) {
        return ClusterUpgrades.state(
                ClusterUpgrades.atRest(""), List.of(pool), new AdminGates(new TreeMap<>(), Set.of()));
    }

    private static PoolState pool(String name, boolean paused, int updated, boolean settled) {
        return new PoolState(name, paused, false, "", 2, updated, settled);
    }
}
