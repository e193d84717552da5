package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.Blocker;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a status says after an exception. */
class StatusReportTest {

    @Test
    void beforeAnInputIsChecked_onlyInstallSucceedingIsNew() {
        ControlPlaneIdentity identity = Objects.identity();
        Condition known = new Condition("Ready", "False", "WaitingForHosts", "", "2026-01-01T00:00:00Z", 1L);
        Condition before =
                new Condition("InstallSucceeding", "True", "WaitingForHosts", "", "2026-01-01T00:00:00Z", 1L);
        identity.controlPlane()
                .setStatus(new OpenshiftAssistedControlPlaneStatus(
                        null, null, 3, null, null, null, null, null, null, null, null, null, List.of(known, before)));

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
        controlPlane.setStatus(new OpenshiftAssistedControlPlaneStatus(
                null, null, 3, null, null, null, null, null, null, null, null, null, List.of(known)));
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
}
