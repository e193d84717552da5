package io.capoa.runtime.status;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends a reconcile with the status that it found: one request when it changed, none when it did not. */
public final class StatusWriter {

    private static final long AT_ONCE = 1;

    private StatusWriter() {}

    /**
     * Writes the status where it differs, and looks at the answer. The framework takes every event that arrives while it
     * writes for its own, and so loses what somebody else changes at that moment: the answer shows it, and the object is
     * reconciled once more.
     *
     * @param primary the object as it was observed
     * @param status the whole status as it shall be; compared by value
     * @param fresh makes an empty object of the kind
     * @param again when to reconcile once more without an event; {@code null} where every wait is on a watch
     */
    public static <T, P extends CustomResource<?, T>> UpdateControl<P> report(
            P primary, T status, Supplier<P> fresh, @Nullable Duration again, Context<P> context) {
        Duration next = isOvertakenBy(primary, status, fresh, context) ? Duration.ofMillis(AT_ONCE) : again;
        UpdateControl<P> control = UpdateControl.noUpdate();
        return next == null ? control : control.rescheduleAfter(next);
    }

    /** As {@link #report}, for an object whose deletion waits for something that a watch shows. */
    public static <T, P extends CustomResource<?, T>> DeleteControl reportDeleting(
            P primary, T status, Supplier<P> fresh, Context<P> context) {
        DeleteControl control = DeleteControl.noFinalizerRemoval();
        return isOvertakenBy(primary, status, fresh, context) ? control.rescheduleAfter(AT_ONCE) : control;
    }

    private static <T, P extends CustomResource<?, T>> boolean isOvertakenBy(
            P primary, T status, Supplier<P> fresh, Context<P> context) {
        if (Objects.equals(status, primary.getStatus())) {
            return false;
        }
        P written = context.resourceOperations().serverSideApplyPrimaryStatus(target(primary, status, fresh));
        return isOvertaken(primary.getMetadata(), written.getMetadata());
    }

    private static <T, P extends CustomResource<?, T>> P target(P primary, T status, Supplier<P> fresh) {
        P target = fresh.get();
        target.setMetadata(new ObjectMetaBuilder()
                .withName(primary.getMetadata().getName())
                .withNamespace(primary.getMetadata().getNamespace())
                .build());
        target.setStatus(status);
        return target;
    }

    /** Whether somebody has changed anything but the status between what was observed and what is there now. */
    static boolean isOvertaken(ObjectMeta observed, ObjectMeta now) {
        return !Objects.equals(observed.getGeneration(), now.getGeneration())
                || !Objects.equals(observed.getDeletionTimestamp(), now.getDeletionTimestamp())
                || !Objects.equals(observed.getLabels(), now.getLabels())
                || !Objects.equals(observed.getAnnotations(), now.getAnnotations())
                || !Objects.equals(observed.getOwnerReferences(), now.getOwnerReferences());
    }
}
