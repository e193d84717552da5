package io.capoa.runtime.watch;

import io.capoa.runtime.options.WatchScope;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Calls a listener when a primary has left the cache: deleted, also by force, or no longer labelled for this manager. No
 * reconcile follows that could end what the last one began; one under way calls {@link #reconciled} at its end.
 */
public final class RemovalEventSource<P extends HasMetadata> extends AbstractEventSource<Void, P>
        implements ResourceEventAware<P> {

    private final Consumer<P> listener;

    public RemovalEventSource(Consumer<P> listener) {
        super(Void.class, "removals");
        this.listener = listener;
    }

    /** Calls the listener if the primary left while it was reconciled. Call it at the end of each reconcile. */
    public void reconciled(P primary, Context<P> context) {
        if (context.getPrimaryCache()
                .get(ResourceID.fromResource(primary))
                .filter(kept -> WatchScope.selects(context.getControllerConfiguration(), kept))
                .isEmpty()) {
            listener.accept(primary);
        }
    }

    @Override
    public void onResourceDeleted(P primary) {
        listener.accept(primary);
    }

    @Override
    public Set<Void> getSecondaryResources(P primary) {
        return Set.of();
    }
}
