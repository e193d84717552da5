package io.capoa.runtime.status;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends a reconcile with the status that it found: one request when it changed, none when it did not. */
public final class StatusWriter {

    private StatusWriter() {}

    /**
     * Compares, and asks for the one status write if it is needed.
     *
     * @param primary the object as it was observed
     * @param status the whole status as it shall be; compared by value
     * @param fresh makes an empty object of the kind
     * @param again when to reconcile once more without an event; {@code null} where every wait is on a watch
     */
    public static <T, P extends CustomResource<?, T>> UpdateControl<P> report(
            P primary, T status, Supplier<P> fresh, @Nullable Duration again) {
        UpdateControl<P> control;
        if (Objects.equals(status, primary.getStatus())) {
            control = UpdateControl.noUpdate();
        } else {
            P target = fresh.get();
            target.setMetadata(new ObjectMetaBuilder()
                    .withName(primary.getMetadata().getName())
                    .withNamespace(primary.getMetadata().getNamespace())
                    .build());
            target.setStatus(status);
            control = UpdateControl.patchStatus(target);
        }
        return again == null ? control : control.rescheduleAfter(again);
    }
}
