package io.capoa.runtime.watch;

import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drops the events of an update for those primaries that read nothing of what it changes, see {@link
 * EventSources.Declaration#reads}.
 */
final class ReadFilter<P, R> {

    private record Update<R>(R before, R after) {}

    private final Function<ResourceID, Optional<P>> primaries;
    private final BiFunction<P, R, @Nullable Object> reads;

    /** The update whose events this thread hands on. */
    private final ScopedValue<Update<R>> update = ScopedValue.newInstance();

    ReadFilter(Function<ResourceID, Optional<P>> primaries, BiFunction<P, R, @Nullable Object> reads) {
        this.primaries = primaries;
        this.reads = reads;
    }

    /** Runs what hands on the events of an update. */
    void during(R before, R after, Runnable events) {
        ScopedValue.where(update, new Update<>(before, after)).run(events);
    }

    /** Takes all events of the source, and hands on those that concern their primary. */
    EventHandler before(EventHandler handler) {
        return event -> {
            if (concerns(event.getRelatedCustomResourceID())) {
                handler.handleEvent(event);
            }
        };
    }

    private boolean concerns(ResourceID id) {
        if (!update.isBound()) {
            return true;
        }
        R before = update.get().before();
        R after = update.get().after();
        return primaries
                .apply(id)
                .map(primary -> !Objects.equals(reads.apply(primary, before), reads.apply(primary, after)))
                .orElse(true);
    }
}
