package io.capoa.controlplane.controlplane;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.Told;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.StatusGathering;
import io.capoa.runtime.status.StatusWriter;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a reconcile: writes the status when it says something new and has come to rest, and tells milestones. */
final class Reporting {

    private static final Logger LOG = LoggerFactory.getLogger(Reporting.class);

    private static final Duration STILL = Duration.ofMillis(500);
    /** For what only says the same in other words, such as how many hosts are there. */
    private static final Duration WORDS_STILL = Duration.ofSeconds(2);

    private static final int AT_MOST_TIMES = 5;

    private final StatusGathering<OpenshiftAssistedControlPlaneStatus> gathering;
    private final EventRecorder events;

    Reporting(Clock clock, EventRecorder events) {
        this.gathering = new StatusGathering<>(clock, AT_MOST_TIMES, Reporting::timeless, Reporting::patience);
        this.events = events;
    }

    UpdateControl<OpenshiftAssistedControlPlane> end(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            @Nullable Duration again,
            Context<OpenshiftAssistedControlPlane> context) {
        OpenshiftAssistedControlPlaneStatus before = controlPlane.getStatus();
        Optional<Duration> held = gathering.hold(ResourceID.fromResource(controlPlane), before, status);
        if (held.isPresent()) {
            Duration pause = again == null || held.get().compareTo(again) < 0 ? held.get() : again;
            return UpdateControl.<OpenshiftAssistedControlPlane>noUpdate().rescheduleAfter(pause);
        }
        tell(controlPlane, before, status);
        return StatusWriter.report(controlPlane, status, OpenshiftAssistedControlPlane::new, again, context);
    }

    /** For an object that is being deleted, and waits. */
    DeleteControl deleting(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            Context<OpenshiftAssistedControlPlane> context) {
        return StatusWriter.reportDeleting(controlPlane, status, OpenshiftAssistedControlPlane::new, context);
    }

    /**
     * Shows on the object why a reconcile or its deletion ended with an exception, which is retried all the same. What
     * mostly passes by itself is shown when it happens a second time in a row.
     */
    void failed(
            OpenshiftAssistedControlPlane controlPlane,
            Exception failure,
            StatusReport report,
            Context<OpenshiftAssistedControlPlane> context) {
        boolean again = context.getRetryInfo()
                .filter(retry -> retry.getAttemptCount() > 0)
                .isPresent();
        ReconcileFailure.of(failure, "control plane")
                .filter(known -> again || !known.transientFailure())
                .ifPresent(known ->
                        write(controlPlane, report.failed(controlPlane, known.reason(), known.message()), context));
    }

    /** The failure that is being reported counts, and not that its report failed as well. */
    private static void write(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            Context<OpenshiftAssistedControlPlane> context) {
        try {
            var unused = StatusWriter.report(controlPlane, status, OpenshiftAssistedControlPlane::new, null, context);
        } catch (RuntimeException e) {
            LOG.debug("The failure cannot be written", e);
        }
    }

    void tell(OpenshiftAssistedControlPlane controlPlane, ScaleDownStep.Outcome scaleDown) {
        if (scaleDown.chosen() != null) {
            events.tell(
                    controlPlane,
                    Told.good(
                            ScaleDownStep.DELETING_MACHINE,
                            "Machine " + scaleDown.chosen().getMetadata().getName() + " is one too many"));
        }
    }

    void forget(OpenshiftAssistedControlPlane controlPlane) {
        gathering.forget(ResourceID.fromResource(controlPlane));
    }

    private void tell(
            OpenshiftAssistedControlPlane controlPlane,
            @Nullable OpenshiftAssistedControlPlaneStatus before,
            OpenshiftAssistedControlPlaneStatus after) {
        for (Milestones.Milestone milestone : Milestones.between(before, after)) {
            events.tell(controlPlane, new Told(!milestone.good(), milestone.reason(), milestone.message()));
        }
    }

    /** What others wait for is not held back. */
    private static Duration patience(
            @Nullable OpenshiftAssistedControlPlaneStatus before, OpenshiftAssistedControlPlaneStatus after) {
        if (isComplete(after)
                || !Objects.equals(after.initialization(), before == null ? null : before.initialization())) {
            return Duration.ZERO;
        }
        return before != null && wordless(after).equals(wordless(before)) ? WORDS_STILL : STILL;
    }

    /** Nothing is to come of which one could wait for more. */
    private static boolean isComplete(OpenshiftAssistedControlPlaneStatus status) {
        List<Condition> conditions = Objects.requireNonNullElse(status.conditions(), List.of());
        return conditions.stream()
                        .anyMatch(condition -> condition.type().equals(ControlPlaneConditions.READY)
                                && condition.status().equals(Condition.TRUE))
                && conditions.stream()
                        .anyMatch(condition -> condition.reason().equals(ControlPlaneConditions.INSTALL_COMPLETED));
    }

    private static OpenshiftAssistedControlPlaneStatus timeless(OpenshiftAssistedControlPlaneStatus status) {
        return withConditions(status, condition -> said(condition, condition.message()));
    }

    private static OpenshiftAssistedControlPlaneStatus wordless(OpenshiftAssistedControlPlaneStatus status) {
        return withConditions(status, condition -> said(condition, ""));
    }

    private static OpenshiftAssistedControlPlaneStatus withConditions(
            OpenshiftAssistedControlPlaneStatus status, UnaryOperator<Condition> change) {
        return new OpenshiftAssistedControlPlaneStatus(
                status.initialization(),
                status.selector(),
                status.replicas(),
                status.readyReplicas(),
                status.availableReplicas(),
                status.upToDateReplicas(),
                status.versions(),
                status.version(),
                status.distributionVersion(),
                status.observedGeneration(),
                status.conditions() == null
                        ? List.of()
                        : status.conditions().stream().map(change).toList());
    }

    private static Condition said(Condition condition, String message) {
        return new Condition(
                condition.type(), condition.status(), condition.reason(), message, "", condition.observedGeneration());
    }
}
