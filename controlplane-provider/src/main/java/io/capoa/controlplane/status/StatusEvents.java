package io.capoa.controlplane.status;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.events.RecordedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chooses the Events for a status change: completed stages, and failures that need action. */
final class StatusEvents {

    /** Conditions that need action when they become False, unless for one of the reasons {@link #WAITING}. */
    private static final List<String> FAILURES = List.of(
            ControlPlaneConditions.INSTALLATION_PLANNED,
            ControlPlaneConditions.INSTALL_SUCCEEDING,
            ControlPlaneConditions.RELEASE_RESOLVED,
            ControlPlaneConditions.MACHINES_CREATED,
            ControlPlaneConditions.CERTIFICATES_UP_TO_DATE,
            ControlPlaneConditions.UPGRADE_AVAILABLE,
            ControlPlaneConditions.UPGRADE_COMPLETED);

    private static final Set<String> WAITING = Set.of(
            ControlPlaneConditions.CREATING_MACHINES,
            ControlPlaneConditions.UPGRADE_IN_PROGRESS,
            ControlPlaneConditions.UPGRADE_TO_OTHER_RELEASE,
            ControlPlaneConditions.UPGRADE_WAITING_FOR_CONTROL_PLANE,
            ControlPlaneConditions.UPGRADE_WAITING_FOR_VERSION,
            ControlPlaneConditions.INSTALLATION_ON_HOLD,
            ControlPlaneConditions.RETRYING_INSTALL,
            ControlPlaneConditions.CLUSTER_VALIDATION_FAILED,
            ControlPlaneConditions.HOSTS_NOT_READY,
            ControlPlaneConditions.WAITING_FOR_CLUSTER,
            ControlPlaneConditions.WAITING_FOR_CLUSTER_INFRASTRUCTURE,
            ControlPlaneConditions.WAITING_FOR_CONTROL_PLANE_ENDPOINT);

    private StatusEvents() {}

    /** The Events to record for a status change. */
    static List<RecordedEvent> between(
            @Nullable OpenshiftAssistedControlPlaneStatus before, OpenshiftAssistedControlPlaneStatus after) {
        List<RecordedEvent> milestones = new ArrayList<>();
        if (hasReason(after, ControlPlaneConditions.INSTALL_COMPLETED)
                && !hasReason(before, ControlPlaneConditions.INSTALL_COMPLETED)) {
            milestones.add(
                    RecordedEvent.good(ControlPlaneConditions.INSTALL_COMPLETED, "The installation is complete"));
        }
        if (isTrue(after, ControlPlaneConditions.UPGRADE_COMPLETED)
                && !isTrue(before, ControlPlaneConditions.UPGRADE_COMPLETED)) {
            milestones.add(RecordedEvent.good(
                    ControlPlaneConditions.UPGRADE_COMPLETED, "The cluster runs " + after.distributionVersion()));
        }
        for (String type : FAILURES) {
            find(after, type)
                    .filter(StatusEvents::isFailure)
                    .filter(now -> find(before, type)
                            .filter(then -> isKnown(then, now))
                            .isEmpty())
                    .ifPresent(now -> milestones.add(RecordedEvent.warning(now.reason(), now.message())));
        }
        return milestones;
    }

    /** Whether a condition needs action and is recorded as an Event. */
    static boolean isFailure(Condition condition) {
        return FAILURES.contains(condition.type())
                && condition.status().equals(Condition.FALSE)
                && !WAITING.contains(condition.reason())
                && !repeatsThePlan(condition);
    }

    private static boolean repeatsThePlan(Condition condition) {
        return condition.reason().equals(ControlPlaneConditions.BLOCKING_FINDINGS)
                && !condition.type().equals(ControlPlaneConditions.INSTALLATION_PLANNED);
    }

    /** The hosts that failed are known after the failure itself. */
    private static boolean isKnown(Condition then, Condition now) {
        return then.status().equals(now.status())
                && Objects.equals(then.reason(), now.reason())
                && (!now.reason().equals(ControlPlaneConditions.INSTALL_FAILED)
                        || then.message().equals(now.message()));
    }

    private static boolean isTrue(@Nullable OpenshiftAssistedControlPlaneStatus status, String type) {
        return find(status, type)
                .filter(condition -> condition.status().equals(Condition.TRUE))
                .isPresent();
    }

    private static boolean hasReason(@Nullable OpenshiftAssistedControlPlaneStatus status, String reason) {
        return find(status, ControlPlaneConditions.INSTALL_SUCCEEDING)
                .filter(condition -> reason.equals(condition.reason()))
                .isPresent();
    }

    private static Optional<Condition> find(@Nullable OpenshiftAssistedControlPlaneStatus status, String type) {
        List<Condition> conditions = status == null ? null : status.conditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(condition -> condition.type().equals(type))
                        .findFirst();
    }
}
