package io.capoa.runtime.status;

import io.capoa.api.ReadInPart;
import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.ConditionedStatus;
import io.capoa.api.rules.MissingFields;
import io.capoa.runtime.write.AnyVersionWriter;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status at the end of a reconcile, and logs what it changes: one request if it changed, none otherwise.
 */
final class StatusWriter {

    private static final long AT_ONCE = 1;

    private StatusWriter() {}

    /**
     * Writes the status if it differs. JOSDK takes every event that arrives during a write for its own, and so loses a
     * concurrent change; the response shows such a change, and the object is requeued.
     *
     * @param primary the object as it was observed
     * @param status the desired status; compared by value
     * @param fresh creates an empty object of the kind
     * @param again when to requeue without an event; {@code null} if every wait is on an informer
     */
    static <T extends ConditionedStatus, P extends CustomResource<?, T>> UpdateControl<P> report(
            P primary, T status, Supplier<P> fresh, @Nullable Duration again, Context<P> context) {
        Duration next = isOvertakenBy(primary, status, fresh, context) ? Duration.ofMillis(AT_ONCE) : again;
        UpdateControl<P> control = UpdateControl.noUpdate();
        return next == null ? control : control.rescheduleAfter(next);
    }

    /** As {@link #report}, for an object whose deletion waits for something that a watch shows. */
    static <T extends ConditionedStatus, P extends CustomResource<?, T>> DeleteControl reportDeleting(
            P primary, T status, Supplier<P> fresh, Context<P> context) {
        DeleteControl control = DeleteControl.noFinalizerRemoval();
        return isOvertakenBy(primary, status, fresh, context) ? control.rescheduleAfter(AT_ONCE) : control;
    }

    private static <T extends ConditionedStatus, P extends CustomResource<?, T>> boolean isOvertakenBy(
            P primary, T status, Supplier<P> fresh, Context<P> context) {
        if (Objects.equals(status, primary.getStatus())) {
            return false;
        }
        P written = write(primary, status, fresh, context);
        T before = primary.getStatus();
        List<Condition> then = before == null ? null : before.conditions();
        TransitionLog.write(primary, Transition.between(then, status.conditions()));
        ConditionMeters.record(primary, then, Objects.requireNonNullElse(status.conditions(), List.of()));
        return isOvertaken(primary.getMetadata(), written.getMetadata());
    }

    /** Without a spec, which v1beta1 may require, in an older version. */
    private static <T extends ConditionedStatus, P extends CustomResource<?, T>> P write(
            P primary, T status, Supplier<P> fresh, Context<P> context) {
        if (primary instanceof ReadInPart part && MissingFields.lacksWholeSpec(part)) {
            new AnyVersionWriter(
                            context.getClient(),
                            context.getControllerConfiguration().fieldManager())
                    .status(primary, status);
            return primary;
        }
        return context.resourceOperations().serverSideApplyPrimaryStatus(target(primary, status, fresh));
    }

    private static <T extends ConditionedStatus, P extends CustomResource<?, T>> P target(
            P primary, T status, Supplier<P> fresh) {
        P target = fresh.get();
        target.setMetadata(new ObjectMetaBuilder()
                .withName(primary.getMetadata().getName())
                .withNamespace(primary.getMetadata().getNamespace())
                .build());
        target.setStatus(status);
        return target;
    }

    /** Whether anything but the status has changed since the observation. */
    static boolean isOvertaken(ObjectMeta observed, ObjectMeta now) {
        return !Objects.equals(observed.getGeneration(), now.getGeneration())
                || !Objects.equals(observed.getDeletionTimestamp(), now.getDeletionTimestamp())
                || !Objects.equals(observed.getLabels(), now.getLabels())
                || !Objects.equals(observed.getAnnotations(), now.getAnnotations())
                || !Objects.equals(observed.getOwnerReferences(), now.getOwnerReferences());
    }
}
