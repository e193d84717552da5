package io.capoa.runtime.watch;

import io.capoa.api.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import java.util.Map;
import java.util.Objects;
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
                .filter(kept -> isSelected(kept, context))
                .isEmpty()) {
            listener.accept(primary);
        }
    }

    /**
     * Whether a primary still has the label that its controller selects. JOSDK's cache does not tell: it keeps the response to
     * a write of its own that came after the label had been removed.
     */
    public static <P extends HasMetadata> boolean isSelected(P primary, Context<P> context) {
        String selector =
                context.getControllerConfiguration().getInformerConfig().getLabelSelector();
        Map<String, String> labels =
                Objects.requireNonNullElse(primary.getMetadata().getLabels(), Map.of());
        return selector == null || selector.equals(Labels.WATCH_FILTER + "=" + labels.get(Labels.WATCH_FILTER));
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
