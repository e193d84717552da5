package io.capoa.runtime.watch;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Events that can wait: those of a primary within {@link #WINDOW} are one, and none if another event requeues the primary
 * meanwhile, because a reconcile reads all caches.
 */
public final class EventDebouncer {

    /** A fraction of the time for which statuses are held back. */
    static final Duration WINDOW = Duration.ofMillis(500);

    private final Map<ResourceID, EventHandler> waiting = new ConcurrentHashMap<>();
    private final BiConsumer<Duration, Runnable> scheduler;

    EventDebouncer() {
        this((delay, task) -> CompletableFuture.delayedExecutor(
                        delay.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
                .execute(task));
    }

    /** @param scheduler runs a task after a delay, on another thread */
    EventDebouncer(BiConsumer<Duration, Runnable> scheduler) {
        this.scheduler = scheduler;
    }

    /** Hands the event on now. */
    void now(Event event, EventHandler handler) {
        waiting.remove(event.getRelatedCustomResourceID());
        handler.handleEvent(event);
    }

    /** Hands an event of the primary on when the window is over. */
    void later(ResourceID primary, EventHandler handler) {
        if (waiting.putIfAbsent(primary, handler) == null) {
            scheduler.accept(WINDOW, () -> {
                EventHandler due = waiting.remove(primary);
                if (due != null) {
                    due.handleEvent(new Event(primary));
                }
            });
        }
    }
}
