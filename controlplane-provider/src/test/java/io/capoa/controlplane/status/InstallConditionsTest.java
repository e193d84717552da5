package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.operation.Operation;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.Conditions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a control plane reports while its installation goes on. */
class InstallConditionsTest {

    /** The API server is asked until it has answered once, so that later reconciles have no answer of it. */
    @ParameterizedTest
    @CsvSource({"false, false, False", "true, false, True", "false, true, True"})
    void available_isTrueFromTheFirstAnswerOn(boolean answers, boolean hasAnswered, String available) {
        ControlPlaneIdentity identity = Objects.identity();
        identity.controlPlane()
                .setStatus(Objects.status(hasAnswered ? "initialization: {controlPlaneInitialized: true}" : "{}"));
        Conditions conditions = Conditions.of(identity.controlPlane(), List.of(), Clock.systemUTC());

        InstallConditions.set(
                conditions,
                new StepResults(
                        ControlPlaneObservations.of(identity, "installing", null),
                        PlanStep.Planned.NONE,
                        new ReleaseState.Unavailable(new Blocker("R", "")),
                        new InstallStep.Progress.Applied(List.of()),
                        new StepResults.Machines(OperationStep.Outcome.none(new Operation.None()), false),
                        new KubeconfigStep.Access.Available(null, false),
                        new StepResults.Answers(answers, null, null, HealthJudgement.NONE, Optional.empty()),
                        Verdict.PASSING),
                hasAnswered);

        assertThat(conditions.get(ControlPlaneConditions.AVAILABLE).map(Condition::status))
                .contains(available);
    }
}
