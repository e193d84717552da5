package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.util.Set;

/** Event source that work outside the reconcile (a download, a registry lookup) triggers when it has an answer. */
public final class TriggerEventSource<P extends HasMetadata> extends AbstractEventSource<Void, P> {

    public TriggerEventSource(String name) {
        super(Void.class, name);
    }

    /** Reconciles the primary; safe from any thread, ignored after the manager has stopped. */
    public void trigger(ResourceID primary) {
        if (isRunning()) {
            getEventHandler().handleEvent(new Event(primary));
        }
    }

    @Override
    public Set<Void> getSecondaryResources(P primary) {
        return Set.of();
    }
}
