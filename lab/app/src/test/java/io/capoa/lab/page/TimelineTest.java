package io.capoa.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.lab.page.Timeline.Milestone;
import io.capoa.lab.page.Timeline.Operation;
import io.capoa.lab.page.Timeline.Track;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps of objects, and the operations that they belong to. */
class TimelineTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void aNodeThatCameBackAfterAMonth_isNoStepOfTheInstallation() {
        List<Track> tracks = Timeline.ofMachine(
                machine("True", "2026-01-01T10:30:00Z", "True", "2026-01-31T10:00:00Z"), null, false);

        assertThat(tracks)
                .containsExactly(new Track(
                        "m",
                        List.of(
                                new Milestone("created", "2026-01-01T10:00:00Z"),
                                new Milestone("infrastructure ready", "2026-01-01T10:30:00Z")),
                        "",
                        false));
    }

    @Test
    void aNodeThatIsLostAfterAMonth_isAnOperationOfItsOwn() {
        List<Operation> operations = Timeline.operations(
                Timeline.ofMachine(
                        machine("True", "2026-01-01T10:30:00Z", "False", "2026-03-01T11:50:00Z"), null, true),
                NOW);

        assertThat(operations).hasSize(2);
        assertThat(operations.getFirst().tracks())
                .containsExactly(new Track(
                        "m: node ready again",
                        List.of(new Milestone("begun", "2026-03-01T11:50:00Z")),
                        "node ready",
                        true));
    }

    @Test
    void theStepThatRuns_isTheFirstAfterThoseThatAreDone() {
        assertThat(Timeline.ofMachine(
                        machine("False", "2026-01-01T10:00:00Z", "False", "2026-01-01T10:00:00Z"), null, false))
                .extracting(Track::running)
                .containsExactly("infrastructure ready");
        assertThat(Timeline.ofMachine(
                        machine("True", "2026-01-01T10:30:00Z", "False", "2026-01-01T10:00:00Z"), null, false))
                .extracting(Track::running)
                .containsExactly("node ready");
    }

    @Test
    void aMachineThatIsAddedLater_isTheOperationAtHand() {
        var first = new Track(
                "a",
                List.of(new Milestone("created", "2026-01-01T10:00:00Z"), new Milestone("x", "2026-01-01T10:40:00Z")),
                "",
                false);
        var beside = new Track("b", List.of(new Milestone("created", "2026-01-01T11:30:00Z")), "", false);
        var later = new Track("c", List.of(new Milestone("created", "2026-02-01T10:00:00Z")), "node ready", false);

        assertThat(Timeline.operations(List.of(later, first, beside), NOW))
                .containsExactly(
                        new Operation("Machines added or replaced", List.of(later)),
                        new Operation("installation", List.of(first, beside)));
    }

    @Test
    void whatRuns_lastsUntilNow() {
        var running = new Track("a", List.of(new Milestone("created", "2026-03-01T01:00:00Z")), "node ready", false);
        var later = new Track("b", List.of(new Milestone("created", "2026-03-01T11:00:00Z")), "node ready", false);

        assertThat(Timeline.operations(List.of(running, later), NOW)).hasSize(1);
    }

    private static Machine machine(String infrastructure, String since, String node, String nodeSince) {
        return Serialization.unmarshal("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: m, namespace: n, creationTimestamp: "2026-01-01T10:00:00Z"}
                status:
                  conditions:
                  - {type: InfrastructureReady, status: "%s", reason: r, lastTransitionTime: "%s"}
                  - {type: NodeReady, status: "%s", reason: r, lastTransitionTime: "%s"}
                """.formatted(infrastructure, since, node, nodeSince), Machine.class);
    }
}
