package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.INSTALLATION_PLANNED;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.INSTALL_SUCCEEDING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
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
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.Blocker;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a status says after an exception, of an input that is not checked, and of what was planned. */
class StatusReportTest {

    @Test
    void beforeAnInputIsChecked_onlyInstallSucceedingIsNew() {
        ControlPlaneIdentity identity = Objects.identity();
        Condition known = new Condition("Ready", "False", "WaitingForHosts", "", "2026-01-01T00:00:00Z", 1L);
        Condition before =
                new Condition("InstallSucceeding", "True", "WaitingForHosts", "", "2026-01-01T00:00:00Z", 1L);
        identity.controlPlane().setStatus(Objects.status("replicas: 3", known, before));

        OpenshiftAssistedControlPlaneStatus status = new StatusReport(Clock.systemUTC())
                .checking(
                        ControlPlaneObservations.of(identity, null, null),
                        new Blocker("CheckingManifests", "being checked"));

        assertThat(status.conditions())
                .contains(known)
                .extracting(Condition::type, Condition::status, Condition::reason, Condition::message)
                .contains(tuple("InstallSucceeding", "Unknown", "CheckingManifests", "being checked"))
                .hasSize(2);
    }

    @Test
    void anUnexpectedException_showsInReadyAndAvailable_andKeepsTheOtherConditions() {
        OpenshiftAssistedControlPlane controlPlane = Objects.identity().controlPlane();
        Condition known = new Condition("MachinesCreated", "True", "MachinesCreated", "", "2026-01-01T00:00:00Z", 1L);
        controlPlane.setStatus(Objects.status("replicas: 3", known));
        ReconcileFailure failure = ReconcileFailure.of(new IllegalStateException("broken"), "control plane")
                .orElseThrow();

        OpenshiftAssistedControlPlaneStatus status = new StatusReport(Clock.systemUTC())
                .failed(controlPlane, new Blocker(failure.reason(), failure.message()));

        assertThat(status.replicas()).isEqualTo(3);
        assertThat(status.conditions()).contains(known);
        assertThat(status.conditions())
                .filteredOn(condition -> condition.reason().equals(FailureReasons.INTERNAL_ERROR))
                .extracting(Condition::type)
                .containsExactlyInAnyOrder("Ready", "Available");
        assertThat(status.conditions())
                .filteredOn(condition -> condition.type().equals("Ready"))
                .singleElement()
                .satisfies(ready -> assertThat(ready.message()).contains("IllegalStateException", "log"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            insufficient | True/InstallationPlanned/warnings: hosts-too-few | True/InstallationPlanned/warnings: hosts-too-few
            insufficient | Unknown/PlanIncomplete/no plan was made          | Unknown/PlanIncomplete/no plan was made
            installing   | True/InstallationPlanned/warnings: hosts-too-few | True/InstallationPlanned/
            installing   | True/FindingsAccepted/accepted: host-disk        | True/FindingsAccepted/accepted: host-disk
            installing   | Unknown/PlanIncomplete/no plan was made          |
            installed    | True/InstallationPlanned/warnings: spare-host    | True/InstallationPlanned/
            installed    | True/FindingsAccepted/accepted: host-disk        | True/InstallationPlanned/
            installed    |                                                  |
            """)
    void whatWasPlanned_isNoLongerSaid_onceTheInstallationHasStarted(String state, String planned, String said) {
        ControlPlaneIdentity identity = Objects.identity();
        List<Condition> before = new ArrayList<>();
        if (planned != null) {
            before.add(condition(INSTALLATION_PLANNED, planned));
        }
        if (state.equals("installed")) {
            before.add(condition(INSTALL_SUCCEEDING, "True/InstallCompleted/"));
        }
        identity.controlPlane().setStatus(Objects.status(before.toArray(Condition[]::new)));

        OpenshiftAssistedControlPlaneStatus status =
                new StatusReport(Clock.systemUTC()).of(results(ControlPlaneObservations.of(identity, state, null)));

        assertThat(status.conditions())
                .filteredOn(condition -> condition.type().equals(INSTALLATION_PLANNED))
                .extracting(condition -> String.join("/", condition.status(), condition.reason(), condition.message()))
                .isEqualTo(said == null ? List.of() : List.of(said));
    }

    private static Condition condition(String type, String said) {
        String[] parts = said.split("/", 3);
        return new Condition(type, parts[0], parts[1], parts[2], "2026-01-01T00:00:00Z", 1L);
    }

    private static StepResults results(ControlPlaneObservation observation) {
        return new StepResults(
                observation,
                PlanStep.Planned.NONE,
                new ReleaseState.Unavailable(new Blocker("R", "")),
                new InstallStep.Progress.Applied(List.of()),
                new StepResults.Machines(OperationStep.Outcome.none(new Operation.None()), false),
                new KubeconfigStep.Access.NotYet(),
                new StepResults.Answers(false, null, null, HealthJudgement.NONE, Optional.empty()),
                Verdict.PASSING);
    }
}
