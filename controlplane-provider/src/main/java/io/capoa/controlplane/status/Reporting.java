package io.capoa.controlplane.status;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.manager.Staged;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.StatusDebouncer;
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

/** Ends a reconcile: debounces and writes the status, and records Events for its milestones. */
public final class Reporting {

    private static final Logger LOG = LoggerFactory.getLogger(Reporting.class);

    private static final Duration STILL = Duration.ofMillis(500);
    /** For a change of messages alone, such as the number of registered hosts. */
    private static final Duration WORDS_STILL = Duration.ofSeconds(2);

    /** Statuses that may wait before the debounce grows. */
    private static final int TOGETHER = 2;

    private static final int AT_MOST_TIMES = 5;

    private final StatusDebouncer<OpenshiftAssistedControlPlaneStatus> gathering;
    private final EventRecorder events;

    public Reporting(Clock clock, EventRecorder events) {
        this.gathering =
                new StatusDebouncer<>(clock, TOGETHER, AT_MOST_TIMES, Reporting::timeless, Reporting::patience);
        this.events = events;
    }

    public UpdateControl<OpenshiftAssistedControlPlane> end(
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

    /** Writes the status while the deletion waits. */
    public DeleteControl deleting(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            Context<OpenshiftAssistedControlPlane> context) {
        return StatusWriter.reportDeleting(controlPlane, status, OpenshiftAssistedControlPlane::new, context);
    }

    /**
     * Reports in the status why a reconcile or cleanup ended with an exception; the framework retries it. A transient
     * failure is reported only when it happens twice in a row.
     */
    public void failed(
            OpenshiftAssistedControlPlane controlPlane,
            Exception failure,
            StatusReport report,
            Context<OpenshiftAssistedControlPlane> context) {
        boolean again = context.getRetryInfo()
                .filter(retry -> retry.getAttemptCount() > 0)
                .isPresent();
        ReconcileFailure.of(failure, "control plane")
                .filter(known -> again || !known.transientFailure())
                .ifPresent(known -> write(
                        controlPlane,
                        report.failed(controlPlane, new Blocker(known.reason(), known.message())),
                        context));
    }

    /** Swallows a failing write, so that the framework retries because of the original failure. */
    private static void write(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            Context<OpenshiftAssistedControlPlane> context) {
        try {
            var unused = StatusWriter.report(controlPlane, status, OpenshiftAssistedControlPlane::new, null, context);
        } catch (RuntimeException e) {
            LOG.debug("the failure could not be written to the status", e);
        }
    }

    public void forget(OpenshiftAssistedControlPlane controlPlane) {
        gathering.forget(ResourceID.fromResource(controlPlane));
    }

    private void tell(
            OpenshiftAssistedControlPlane controlPlane,
            @Nullable OpenshiftAssistedControlPlaneStatus before,
            OpenshiftAssistedControlPlaneStatus after) {
        StatusEvents.between(before, after).forEach(event -> events.tell(controlPlane, event));
    }

    /** How far the installation is: objects created, cluster initialized. */
    public static int stage(OpenshiftAssistedControlPlane controlPlane) {
        OpenshiftAssistedControlPlaneStatus status = controlPlane.getStatus();
        if (status == null || isComplete(status)) {
            return 0;
        }
        return status.initialization() == null ? 1 : Staged.LAST;
    }

    /** How long a status must stay the same before it is written; zero for changes that users and controllers wait for. */
    private static Duration patience(
            @Nullable OpenshiftAssistedControlPlaneStatus before, OpenshiftAssistedControlPlaneStatus after) {
        if (isComplete(after)
                || !Objects.equals(after.initialization(), before == null ? null : before.initialization())) {
            return Duration.ZERO;
        }
        return before != null && wordless(after).equals(wordless(before)) ? WORDS_STILL : STILL;
    }

    /** Whether the installation is complete and the control plane is ready, so that no further change is expected. */
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
                status.availableUpdates(),
                status.lastRemediation(),
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
