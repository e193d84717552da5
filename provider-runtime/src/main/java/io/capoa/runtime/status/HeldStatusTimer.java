package io.capoa.runtime.status;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requeues the objects of a kind whose held status is due: one timer for all of them. A requeue of each would find, while
 * others are held as well, that its status is not due yet, and be repeated.
 */
final class HeldStatusTimer {

    /** Several statuses that are written in quick succession shorten the patience with the others at once. */
    static final Duration TOGETHER = Duration.ofMillis(100);

    private final StatusDebouncer<?> debouncer;
    private final Consumer<ResourceID> requeue;
    private final Clock clock;
    private final BiConsumer<Duration, Runnable> scheduler;
    private @Nullable Instant next;

    HeldStatusTimer(StatusDebouncer<?> debouncer, Consumer<ResourceID> requeue, Clock clock) {
        this(debouncer, requeue, clock, HeldStatusTimer::later);
    }

    /**
     * A timer without a task.
     *
     * @param requeue called from any thread
     * @param scheduler runs a task after a delay, on another thread
     */
    HeldStatusTimer(
            StatusDebouncer<?> debouncer,
            Consumer<ResourceID> requeue,
            Clock clock,
            BiConsumer<Duration, Runnable> scheduler) {
        this.debouncer = debouncer;
        this.requeue = requeue;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    private static void later(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, Thread::startVirtualThread)
                .execute(task);
    }

    /**
     * A status has been held back, written or dropped, which changes when the others are due.
     *
     * @param held for how long; empty if it is not held back
     */
    void changed(Optional<Duration> held) {
        if (held.isPresent() || debouncer.isHolding()) {
            within(held.orElse(TOGETHER));
        }
    }

    /** Looks after the held statuses after that time at the latest. */
    private synchronized void within(Duration delay) {
        Instant at = clock.instant().plus(delay);
        if (next == null || at.isBefore(next)) {
            next = at;
            scheduler.accept(delay, () -> look(at));
        }
    }

    private void look(Instant at) {
        synchronized (this) {
            if (!at.equals(next)) {
                // An earlier one has been scheduled since.
                return;
            }
            next = null;
        }
        debouncer.takeDue().forEach(requeue);
        debouncer.untilNext().ifPresent(this::within);
    }
}
