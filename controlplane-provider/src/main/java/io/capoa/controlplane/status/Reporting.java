package io.capoa.controlplane.status;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.manager.Staged;
import io.capoa.runtime.status.Patience;
import io.capoa.runtime.status.StatusDebouncer;
import io.capoa.runtime.status.StatusReporter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the reports of control planes are made of: how long a status is held, and what it says of the progress. */
public final class Reporting {

    private static final Duration STILL = Duration.ofMillis(500);
    /** For a change of messages and numbers alone, such as that of the ready machines. */
    private static final Duration WORDS_STILL = Duration.ofSeconds(2);

    /** Reasons that a healthy installation passes through without anything to do. */
    private static final Set<String> COURSE = Set.of(
            ControlPlaneConditions.INSTALLATION_PLANNED,
            ControlPlaneConditions.WAITING_FOR_HOSTS,
            ControlPlaneConditions.INSTALLING,
            ControlPlaneConditions.CONTROL_PLANE_INSTALLING,
            ControlPlaneConditions.MACHINES_NOT_READY,
            ControlPlaneConditions.HEALTH_UNKNOWN);

    /** Reasons with which the API of an installed cluster cannot be used. */
    private static final Set<String> OUT_OF_REACH = Set.of(
            ControlPlaneConditions.API_SERVER_UNREACHABLE,
            ControlPlaneConditions.KUBECONFIG_REFUSED,
            ControlPlaneConditions.ETCD_MAJORITY_LOST);

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

    /**
     * How long a status is held back that follows another: not at all if users and controllers wait for it, and the longest for
     * the progress of an installation.
     */
    static Patience patience(
            @Nullable OpenshiftAssistedControlPlaneStatus before, OpenshiftAssistedControlPlaneStatus after) {
        if ((isComplete(after) && !isReady(before))
                || hasReason(after, ControlPlaneConditions.CHECKING_MANIFESTS)
                || !Objects.equals(after.initialization(), before == null ? null : before.initialization())) {
            return Patience.NONE;
        }
        if (before != null && isProgress(before, after)) {
            return Patience.LONGEST;
        }
        Duration still = before != null && wordless(after).equals(wordless(before)) ? WORDS_STILL : STILL;
        List<Condition> troubles = troubles(after);
        boolean urgent = isComplete(after) || (!troubles.isEmpty() && !troubles.equals(troubles(before)));
        return urgent ? Patience.urgent(still) : Patience.of(still);
    }

    /** Whether all that changes is how far the hosts of a healthy installation are. */
    private static boolean isProgress(
            OpenshiftAssistedControlPlaneStatus before, OpenshiftAssistedControlPlaneStatus after) {
        return isUnderWay(after)
                && withConditions(before, List.of()).equals(withConditions(after, List.of()))
                && conditions(before).size() == conditions(after).size()
                && conditions(after).stream()
                        .allMatch(now -> condition(before, now.type())
                                .filter(then -> isCourse(then, now))
                                .isPresent());
    }

    /** Whether the installation waits for its hosts or is running, and all edits have come in time. */
    private static boolean isUnderWay(OpenshiftAssistedControlPlaneStatus status) {
        return condition(status, ControlPlaneConditions.INSTALL_SUCCEEDING)
                .filter(condition -> condition.status().equals(Condition.TRUE))
                .filter(condition -> condition.reason().equals(ControlPlaneConditions.WAITING_FOR_HOSTS)
                        || (condition.reason().equals(ControlPlaneConditions.INSTALLING)
                                && condition.message().isEmpty()))
                .isPresent();
    }

    private static boolean isCourse(Condition then, Condition now) {
        return then.status().equals(now.status())
                && ((COURSE.contains(then.reason()) && COURSE.contains(now.reason()))
                        || (then.reason().equals(now.reason()) && then.message().equals(now.message())));
    }

    /** The conditions on which a person has to act. Ready repeats one of them. */
    private static List<Condition> troubles(@Nullable OpenshiftAssistedControlPlaneStatus status) {
        return status == null
                ? List.of()
                : conditions(status).stream()
                        .filter(Reporting::needsAction)
                        .map(condition -> said(condition, condition.message()))
                        .toList();
    }

    private static boolean needsAction(Condition condition) {
        return switch (condition.type()) {
            case ControlPlaneConditions.INSTALL_SUCCEEDING,
                    ControlPlaneConditions.ETCD_CLUSTER_HEALTHY,
                    ControlPlaneConditions.CONTROL_PLANE_COMPONENTS_HEALTHY,
                    ControlPlaneConditions.CLOUD_CONTROLLER_MANAGER_READY ->
                condition.status().equals(Condition.FALSE);
            case ControlPlaneConditions.AVAILABLE -> OUT_OF_REACH.contains(condition.reason());
            case ControlPlaneConditions.REMEDIATING ->
                condition.reason().equals(ControlPlaneConditions.CANNOT_BE_REMEDIATED);
            default -> StatusEvents.isFailure(condition);
        };
    }

    private static Optional<Condition> condition(OpenshiftAssistedControlPlaneStatus status, String type) {
        return conditions(status).stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    private static List<Condition> conditions(OpenshiftAssistedControlPlaneStatus status) {
        return Objects.requireNonNullElse(status.conditions(), List.of());
    }

    /** Whether the installation is complete and the control plane is ready, so that no further change is expected. */
    private static boolean isComplete(OpenshiftAssistedControlPlaneStatus status) {
        return isReady(status) && hasReason(status, ControlPlaneConditions.INSTALL_COMPLETED);
    }

    private static boolean isReady(@Nullable OpenshiftAssistedControlPlaneStatus status) {
        return status != null
                && condition(status, ControlPlaneConditions.READY)
                        .filter(condition -> condition.status().equals(Condition.TRUE))
                        .isPresent();
    }

    private static boolean hasReason(OpenshiftAssistedControlPlaneStatus status, String reason) {
        return conditions(status).stream()
                .anyMatch(condition -> condition.reason().equals(reason));
    }

    private static OpenshiftAssistedControlPlaneStatus timeless(OpenshiftAssistedControlPlaneStatus status) {
        return withConditions(
                status,
                conditions(status).stream()
                        .map(condition -> said(condition, condition.message()))
                        .toList());
    }

    /** Without messages, and without the numbers that stand in one of them: "2 of 3 machines are ready". */
    private static OpenshiftAssistedControlPlaneStatus wordless(OpenshiftAssistedControlPlaneStatus status) {
        List<Condition> conditions = conditions(status).stream()
                .map(condition -> said(condition, ""))
                .toList();
        return status.with(null, null, status.observedGeneration(), conditions);
    }

    private static OpenshiftAssistedControlPlaneStatus withConditions(
            OpenshiftAssistedControlPlaneStatus status, List<Condition> conditions) {
        return status.with(status.readyReplicas(), status.availableReplicas(), status.observedGeneration(), conditions);
    }

    private static Condition said(Condition condition, String message) {
        return new Condition(
                condition.type(), condition.status(), condition.reason(), message, "", condition.observedGeneration());
    }
}
