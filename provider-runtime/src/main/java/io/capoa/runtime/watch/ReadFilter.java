package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Filters the events of an update by primary: one that reads nothing of the change is not enqueued, see {@link
 * EventSources.Declaration#reads}; one that only reports it is enqueued later, see {@link
 * EventSources.Declaration#statusWaits}.
 */
final class ReadFilter<P, R extends HasMetadata> {

    private record Update<R>(R before, R after) {}

    private final Function<ResourceID, Optional<P>> primaries;
    private final @Nullable BiFunction<P, R, @Nullable Object> reads;
    private final @Nullable Function<R, @Nullable Object> urgent;
    private final Predicate<R> progress;
    private final EventDebouncer debouncer;

    /** The update whose events this thread hands on. */
    private final ScopedValue<Update<R>> update = ScopedValue.newInstance();

    /**
     * A filter.
     *
     * @param reads what a primary reads of an object; {@code null} for all of it
     * @param urgent what is acted on at once of an object's status; {@code null} for all of it
     * @param progress whether an object's status tells of progress alone
     */
    ReadFilter(
            Function<ResourceID, Optional<P>> primaries,
            @Nullable BiFunction<P, R, @Nullable Object> reads,
            @Nullable Function<R, @Nullable Object> urgent,
            Predicate<R> progress,
            EventDebouncer debouncer) {
        this.primaries = primaries;
        this.reads = reads;
        this.urgent = urgent;
        this.progress = progress;
        this.debouncer = debouncer;
    }

    /** Runs what hands on the events of an update. */
    void during(R before, R after, Runnable events) {
        ScopedValue.where(update, new Update<>(before, after)).run(events);
    }

    /** Takes all events of the source, and hands on those that concern their primary. */
    EventHandler before(EventHandler handler) {
        return event -> {
            ResourceID primary = event.getRelatedCustomResourceID();
            if (!update.isBound()) {
                debouncer.now(event, handler);
            } else if (concerns(primary)) {
                if (canWait()) {
                    debouncer.later(primary, handler, window());
                } else {
                    debouncer.now(event, handler);
                }
            }
        };
    }

    private boolean concerns(ResourceID id) {
        return reads == null
                || primaries
                        .apply(id)
                        .map(primary -> differs(resource -> reads.apply(primary, resource)))
                        .orElse(true);
    }

    private boolean canWait() {
        return urgent != null
                && UpdatePredicate.isOfStatusAlone(
                        update.get().before(), update.get().after())
                && !differs(urgent);
    }

    private Duration window() {
        return progress.test(update.get().before())
                        && progress.test(update.get().after())
                ? EventDebouncer.PROGRESS
                : EventDebouncer.WINDOW;
    }

    private boolean differs(Function<R, @Nullable Object> of) {
        return !Objects.equals(
                of.apply(update.get().before()), of.apply(update.get().after()));
    }
}
