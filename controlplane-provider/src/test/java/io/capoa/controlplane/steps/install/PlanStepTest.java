package io.capoa.controlplane.steps.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.plan.PlanVerdict;
import io.capoa.controlplane.testing.Objects;
import io.capoa.lab.steady.SetClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** When an installation is planned, and that no plan keeps one from going on but by its findings. */
class PlanStepTest {

    private static final Cluster CLUSTER = Objects.read(Cluster.class, "metadata: {name: one}");
    private static final PlanVerdict GOOD =
            new PlanVerdict(Condition.TRUE, ControlPlaneConditions.INSTALLATION_PLANNED, "");
    private static final PlanVerdict BLOCKING =
            new PlanVerdict(Condition.FALSE, ControlPlaneConditions.BLOCKING_FINDINGS, "host-disk");

    private final ControlPlaneIdentity identity = Objects.identity();
    private final SetClock clock = new SetClock();
    private final List<PlanVerdict> verdicts = new ArrayList<>();
    private int plans;
    private final PlanStep step = new PlanStep(
            (observation, cluster) -> {
                plans++;
                return new PlanStep.Planned(verdicts.getLast(), null, Map.of());
            },
            clock,
            Duration.ofSeconds(30));

    @Test
    void aPlanThatBlocks_isMadeAgain_lessAndLessOften() {
        verdicts.add(BLOCKING);
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            PlanStep.Planned outcome = step.apply(pending(), CLUSTER);
            assertThat(outcome.blocks()).isTrue();
            pauses.add(outcome.again());
            clock.advance(outcome.again());
        }
        assertThat(pauses).extracting(Duration::toSeconds).containsExactly(2L, 2L, 4L, 8L, 16L, 30L);

        verdicts.add(GOOD);
        assertThat(step.apply(pending(), CLUSTER)).isEqualTo(new PlanStep.Planned(GOOD, null, Map.of()));
    }

    @Test
    void eventsInQuickSuccession_leadToOnePlan_andAnotherAnnotationToAnother() {
        verdicts.add(BLOCKING);
        step.apply(pending(), CLUSTER);
        assertThat(step.apply(pending(), CLUSTER).again()).isEqualTo(Duration.ofSeconds(1));
        assertThat(plans).isEqualTo(1);

        step.apply(
                ControlPlaneObservations.of(
                        Objects.identity("{controlplane.cluster.x-k8s.io/accept-plan-findings: host-disk}", ""),
                        null,
                        null),
                CLUSTER);
        assertThat(plans).isEqualTo(2);
    }

    @Test
    void whatHasBegun_isNotPlanned() {
        verdicts.add(BLOCKING);
        Machine machine = Objects.read(Machine.class, "metadata: {name: one-1}");
        assertThat(step.apply(ControlPlaneObservations.installed(identity), CLUSTER))
                .isEqualTo(PlanStep.Planned.NONE);
        assertThat(step.apply(ControlPlaneObservations.installed(identity, machine), CLUSTER))
                .isEqualTo(PlanStep.Planned.NONE);
        assertThat(step.apply(ControlPlaneObservations.of(identity, "installing", null), CLUSTER))
                .isEqualTo(PlanStep.Planned.NONE);
        assertThat(plans).isZero();
    }

    @Test
    void theVerdict_isKeptUntilTheStatusHasIt() {
        verdicts.add(GOOD);
        step.apply(pending(), CLUSTER);
        ControlPlaneObservation begun = ControlPlaneObservations.of(identity, "installing", null);
        assertThat(step.apply(begun, CLUSTER).verdict()).isEqualTo(GOOD);
        assertThat(step.apply(begun, CLUSTER).verdict()).isEqualTo(GOOD);

        identity.controlPlane()
                .setStatus(Objects.status(
                        new Condition(ControlPlaneConditions.INSTALLATION_PLANNED, "True", GOOD.reason(), "", "", 1L)));
        assertThat(step.apply(begun, CLUSTER)).isEqualTo(PlanStep.Planned.NONE);
        assertThat(plans).isEqualTo(1);
    }

    /** Whatever it was, the status says only that it was planned. */
    @Test
    void onceTheInstallationHasStarted_theStatusThatSaysItWasPlannedIsEnough() {
        verdicts.add(new PlanVerdict(Condition.TRUE, ControlPlaneConditions.FINDINGS_ACCEPTED, "accepted: host-disk"));
        step.apply(pending(), CLUSTER);
        identity.controlPlane()
                .setStatus(Objects.status(
                        new Condition(ControlPlaneConditions.INSTALLATION_PLANNED, "True", GOOD.reason(), "", "", 1L)));
        ControlPlaneObservation begun = ControlPlaneObservations.of(identity, "installing", null);
        assertThat(step.apply(begun, CLUSTER)).isEqualTo(PlanStep.Planned.NONE);

        verdicts.add(PlanVerdict.unknown("no plan was made"));
        clock.advance(Duration.ofMinutes(1));
        step.apply(pending(), CLUSTER);
        assertThat(step.apply(begun, CLUSTER)).isEqualTo(PlanStep.Planned.NONE);
    }

    @Test
    void aPlanThatFails_blocksNothing() {
        PlanStep failing = new PlanStep(
                (observation, cluster) -> {
                    throw new IllegalStateException("a fault of the plan");
                },
                clock,
                Duration.ofSeconds(30));
        PlanStep.Planned outcome = failing.apply(pending(), CLUSTER);
        assertThat(outcome.blocks()).isFalse();
        assertThat(outcome.verdict().status()).isEqualTo(Condition.UNKNOWN);
        assertThat(outcome.verdict().message()).contains("IllegalStateException", "log of the control plane provider");
    }

    @Test
    void aPlanThatTakesLong_blocksNothing() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        PlanStep slow = new PlanStep(
                (observation, cluster) -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                    return new PlanStep.Planned(BLOCKING, null, Map.of());
                },
                clock,
                Duration.ofMillis(50));
        PlanStep.Planned outcome = slow.apply(pending(), CLUSTER);
        assertThat(outcome.verdict().status()).isEqualTo(Condition.UNKNOWN);
        assertThat(outcome.verdict().message()).contains("no plan was made within");
        interrupted.await();
    }

    private ControlPlaneObservation pending() {
        return ControlPlaneObservations.of(identity, null, null);
    }
}
