package io.capoa.controlplane.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.operation.Operation;
import io.capoa.controlplane.status.StepResults;
import io.capoa.controlplane.steps.install.InputsStep.Inputs;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a control plane is requeued without an event, and which objects are watched by name. */
class RequeueTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Blocker BLOCKER = new Blocker("Reason", "message");
    private static final InstallStep.Progress APPLIED = new InstallStep.Progress.Applied(List.of());
    private static final MachineStep.Creation COMPLETE = new MachineStep.Creation.Complete();
    private static final Target TEMPLATE = Target.configMap("ns", "template");

    @Test
    void whileAllIsWatched_onlyEventsCount() {
        assertThat(Requeue.after(results(APPLIED, COMPLETE, false), NOW)).isNull();
    }

    @Test
    void afterAWriteOfConditions_looksForConcurrentChanges() {
        assertThat(Requeue.after(results(APPLIED, failed(null, Duration.ofSeconds(5)), true), NOW))
                .isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void aRefusedWrite_isRetried() {
        assertThat(Requeue.after(results(new InstallStep.Progress.Refused(BLOCKER), COMPLETE, false), NOW))
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(Requeue.after(results(APPLIED, failed(null, null), false), NOW))
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(Requeue.after(results(APPLIED, failed(null, Duration.ofSeconds(5)), false), NOW))
                .isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aMissingObject_isWatchedByName_insteadOfARetry() {
        StepResults results = results(APPLIED, failed(TEMPLATE, null), false);
        assertThat(Requeue.after(results, NOW)).isNull();
        assertThat(Requeue.targets(results, new Inputs(null, null, Set.of()))).containsExactly(TEMPLATE);
    }

    private static MachineStep.Creation failed(@Nullable Target namedObjects, @Nullable Duration again) {
        return new MachineStep.Creation.Failed(BLOCKER, namedObjects, again);
    }

    private static StepResults results(InstallStep.Progress install, MachineStep.Creation creation, boolean written) {
        return new StepResults(
                ControlPlaneObservations.of(Objects.identity(), null, null),
                PlanStep.Planned.NONE,
                new ReleaseState.Unavailable(BLOCKER),
                install,
                new StepResults.Machines(
                        new OperationStep.Outcome(new Operation.None(), creation, null, false), written),
                new KubeconfigStep.Access.NotYet(),
                new StepResults.Answers(false, null, null, HealthJudgement.NONE, Optional.empty()),
                Verdict.PASSING);
    }
}
