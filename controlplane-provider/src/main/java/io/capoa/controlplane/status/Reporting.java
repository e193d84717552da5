package io.capoa.controlplane.status;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.manager.Staged;
import io.capoa.runtime.status.StatusDebouncer;
import io.capoa.runtime.status.StatusReporter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the reports of control planes are made of: how long a status is held, and what it says of the progress. */
public final class Reporting {

    private static final Duration STILL = Duration.ofMillis(500);
    /** For a change of messages alone, such as the number of registered hosts. */
    private static final Duration WORDS_STILL = Duration.ofSeconds(2);

    /** Statuses that may wait before the debounce grows. */
    private static final int TOGETHER = 2;

    private static final int AT_MOST_TIMES = 5;

    private Reporting() {}

    /** The reporter of control planes. */
    public static StatusReporter<OpenshiftAssistedControlPlaneStatus, OpenshiftAssistedControlPlane> reporter(
            EventRecorder events, Clock clock) {
        var debouncer = new StatusDebouncer<OpenshiftAssistedControlPlaneStatus>(
                clock, TOGETHER, AT_MOST_TIMES, Reporting::timeless, Reporting::patience);
        return new StatusReporter<>(
                OpenshiftAssistedControlPlane::new, "control plane", debouncer, events, StatusEvents::between, clock);
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
                || hasReason(after, ControlPlaneConditions.CHECKING_MANIFESTS)
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
                && hasReason(status, ControlPlaneConditions.INSTALL_COMPLETED);
    }

    private static boolean hasReason(OpenshiftAssistedControlPlaneStatus status, String reason) {
        return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
                .anyMatch(condition -> condition.reason().equals(reason));
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
