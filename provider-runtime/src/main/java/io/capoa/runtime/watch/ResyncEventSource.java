package io.capoa.runtime.watch;

import io.capoa.runtime.threads.VirtualThreads;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles all primaries periodically. It replaces JOSDK's maximum reconciliation interval, which schedules a task
 * after every reconcile: the timer keeps each of them until it is due, hours after it was cancelled.
 */
public final class ResyncEventSource<P extends HasMetadata> extends AbstractEventSource<Void, P> {

    private final Duration period;
    private final Supplier<Stream<ResourceID>> primaries;
    private volatile @Nullable Thread thread;

    /**
     * A source that does nothing before it is started.
     *
     * @param primaries that exist, asked for every time
     */
    public ResyncEventSource(Duration period, Supplier<Stream<ResourceID>> primaries) {
        super(Void.class, "resync");
        this.period = period;
        this.primaries = primaries;
    }

    @Override
    public synchronized void start() {
        if (!isRunning()) {
            super.start();
            thread = VirtualThreads.start("resync", this::resync);
        }
    }

    @Override
    public synchronized void stop() {
        super.stop();
        Thread running = thread;
        if (running != null) {
            running.interrupt();
            thread = null;
        }
    }

    private void resync() {
        try {
            while (isRunning()) {
                Thread.sleep(period);
                primaries.get().forEach(primary -> getEventHandler().handleEvent(new Event(primary)));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Set<Void> getSecondaryResources(P primary) {
        return Set.of();
    }
}
