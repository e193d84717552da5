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
 * Events that can wait: those of a primary within a window are one, and none if another event requeues the primary meanwhile,
 * because a reconcile reads all caches.
 */
public final class EventDebouncer {

    /** A fraction of the time for which statuses are held back. */
    static final Duration WINDOW = Duration.ofMillis(500);

    /** The window of progress, of whose statuses only the latest counts: as long as most are held back at least. */
    static final Duration PROGRESS = Duration.ofSeconds(5);

    private record Later(EventHandler handler, Duration window) {}

    private final Map<ResourceID, Later> waiting = new ConcurrentHashMap<>();
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

    /** Hands an event of the primary on within half a second. */
    void later(ResourceID primary, EventHandler handler) {
        later(primary, handler, WINDOW);
    }

    /** Hands an event of the primary on when the window is over, or that of another event if it is shorter. */
    void later(ResourceID primary, EventHandler handler, Duration window) {
        Later before = waiting.get(primary);
        if (before == null || window.compareTo(before.window) < 0) {
            waiting.put(primary, new Later(handler, window));
            scheduler.accept(window, () -> {
                Later due = waiting.remove(primary);
                if (due != null) {
                    due.handler.handleEvent(new Event(primary));
                }
            });
        }
    }
}
