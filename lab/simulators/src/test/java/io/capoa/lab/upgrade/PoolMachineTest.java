package io.capoa.lab.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.upgrade.PoolNode.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolMachineTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Pace PACE =
            new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(10));

    @Test
    void oneNodeAtATime_inTheOrderOfZonesAndAges() {
        List<PoolNode> nodes = List.of(
                node("b", "z2", "2026", Phase.DONE),
                node("c", "z1", "2026", Phase.DONE),
                node("a", "z1", "2025", Phase.DONE));

        assertThat(next(pool(), nodes).steps()).containsExactly(new PoolMachine.Step("a", Phase.DRAINING, "new"));
    }

    @Test
    void aNodeIsDrainedRebootedAndDone_eachAfterItsTime() {
        PoolMachine.Next draining = next(pool(), List.of(since(node("a", Phase.DRAINING), 2)));
        assertThat(draining.steps()).isEmpty();
        assertThat(draining.due()).contains(NOW.plusSeconds(1));
        assertThat(next(pool(), List.of(since(node("a", Phase.DRAINING), 3))).steps())
                .containsExactly(new PoolMachine.Step("a", Phase.REBOOTING, "new"));
        assertThat(next(pool(), List.of(since(node("a", Phase.REBOOTING), 10))).steps())
                .containsExactly(new PoolMachine.Step("a", Phase.DONE, "new"));
    }

    @Test
    void aNodeThatIsNotReady_takesThePlaceOfTheOnlyOne() {
        PoolNode lost = new PoolNode("a", place("", ""), "new", "new", Phase.DONE, NOW, false, false);

        assertThat(next(pool(), List.of(lost, node("b", Phase.DONE))).steps()).isEmpty();
    }

    @Test
    void pausedOrHeldPools_startNoNode_butFinishTheOneThatTheyStarted() {
        List<PoolNode> nodes = List.of(since(node("a", Phase.REBOOTING), 10), node("b", Phase.DONE));
        PoolMachine.Step done = new PoolMachine.Step("a", Phase.DONE, "new");

        assertThat(next(new Pool("worker", true, "2", "new", false, ""), nodes).steps())
                .containsExactly(done);
        assertThat(next(new Pool("worker", false, "2", "new", true, ""), nodes).steps())
                .containsExactly(done);
    }

    @Test
    void aFailure_degradesTheNode_andItsEndStartsTheDrainAgain() {
        Pool failing = new Pool("worker", false, "", "new", false, "disk is full");
        assertThat(next(failing, List.of(node("a", Phase.DRAINING))).steps())
                .containsExactly(new PoolMachine.Step("a", Phase.DEGRADED, "new"));
        assertThat(next(failing, List.of(node("a", Phase.DEGRADED))).steps()).isEmpty();
        assertThat(next(pool(), List.of(node("a", Phase.DEGRADED))).steps())
                .containsExactly(new PoolMachine.Step("a", Phase.DRAINING, "new"));
    }

    @Test
    void atRest_nothingIsDue() {
        PoolNode updated = new PoolNode("a", place("", ""), "new", "new", Phase.DONE, NOW, true, false);

        assertThat(next(pool(), List.of(updated)))
                .isEqualTo(new PoolMachine.Next(List.of(), java.util.Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({"1, 6, 1", "0, 6, 1", "'', 6, 1", "50%, 6, 3", "10%, 6, 1", "many, 6, 1", "4, 6, 4"})
    void maxUnavailable_isANumberOrAPercentage(String maxUnavailable, int nodes, int capacity) {
        assertThat(new Pool("worker", false, maxUnavailable, "new", false, "").capacity(nodes))
                .isEqualTo(capacity);
    }

    @Test
    void theStatus_countsNodes_andIsUpdatedOnlyWhenAllAreReady() {
        PoolNode ready = new PoolNode("a", place("", ""), "new", "new", Phase.DONE, NOW, true, false);
        PoolNode lost = new PoolNode("b", place("", ""), "new", "new", Phase.DONE, NOW, false, false);

        PoolStatus status = PoolStatus.of(pool(), List.of(ready, lost, node("c", Phase.DEGRADED)));

        assertThat(List.of(
                        status.machines(), status.updated(), status.ready(), status.unavailable(), status.degraded()))
                .containsExactly(3, 2, 1, 2, 1);
        assertThat(status.isUpdated()).isFalse();
        assertThat(status.conditions())
                .filteredOn(Condition::isTrue)
                .extracting(Condition::type)
                .containsExactly("NodeDegraded", "Degraded", "Updating");
        assertThat(PoolStatus.of(pool(), List.of(ready)).isUpdated()).isTrue();
    }

    @Test
    void aPausedPoolWithAPendingChange_isNeitherUpdatedNorUpdating() {
        PoolStatus status =
                PoolStatus.of(new Pool("worker", true, "", "new", false, ""), List.of(node("a", Phase.DONE)));

        assertThat(status.conditions()).noneMatch(Condition::isTrue);
        assertThat(status.conditions())
                .extracting(Condition::message)
                .contains("Pool is paused; will not update to new");
    }

    private static PoolMachine.Next next(Pool pool, List<PoolNode> nodes) {
        return PoolMachine.next(pool, nodes, PACE, NOW);
    }

    private static Pool pool() {
        return new Pool("worker", false, "", "new", false, "");
    }

    private static PoolNode node(String name, Phase phase) {
        return node(name, "", "", phase);
    }

    private static PoolNode node(String name, String zone, String created, Phase phase) {
        return new PoolNode(name, place(zone, created), "old", "new", phase, NOW, true, false);
    }

    private static PoolNode since(PoolNode node, int seconds) {
        return new PoolNode(
                node.name(),
                node.place(),
                node.current(),
                node.desired(),
                node.phase(),
                NOW.minusSeconds(seconds),
                node.phase() != Phase.REBOOTING,
                false);
    }

    private static PoolNode.Place place(String zone, String created) {
        return new PoolNode.Place(zone, created);
    }
}
