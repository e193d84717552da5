package io.capoa.runtime.status;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Debounces status writes: a status that changes faster than people can read is held back, so that short-lived states
 * cost no write. A stable status is always written, and one that other controllers wait for is never held back.
 *
 * @param <S> the status, compared by value
 */
public final class StatusDebouncer<S> {

    private record Held(Object content, Instant since, Instant first) {}

    private final Clock clock;
    private final int times;
    private final Function<S, ?> content;
    private final BiFunction<@Nullable S, S, Duration> patience;
    private final Map<ResourceID, Held> held = new ConcurrentHashMap<>();

    /**
     * Starts without held statuses.
     *
     * @param times maximum delay of a status that keeps changing, in multiples of its patience
     * @param content of a status without its timestamps; compared by value
     * @param patience how long this status must stay unchanged before it is written; zero for at once
     */
    public StatusDebouncer(
            Clock clock, int times, Function<S, ?> content, BiFunction<@Nullable S, S, Duration> patience) {
        this.clock = clock;
        this.times = times;
        this.content = content;
        this.patience = patience;
    }

    /**
     * How long to hold the status back; empty if it is to be written now, or is unchanged. Requeue after that time.
     *
     * @param before what the object has
     */
    public Optional<Duration> hold(ResourceID object, @Nullable S before, S after) {
        Duration still = Objects.equals(after, before) ? Duration.ZERO : patience.apply(before, after);
        if (still.isZero()) {
            held.remove(object);
            return Optional.empty();
        }
        Instant now = clock.instant();
        Object says = content.apply(after);
        Held known = held.get(object);
        Held current;
        if (known == null) {
            current = new Held(says, now, now);
        } else {
            current = known.content().equals(says) ? known : new Held(says, now, known.first());
        }
        Instant due = min(current.since().plus(still), current.first().plus(still.multipliedBy(times)));
        if (!now.isBefore(due)) {
            held.remove(object);
            return Optional.empty();
        }
        held.put(object, current);
        return Optional.of(Duration.between(now, due));
    }

    /** Drops what is held for a deleted object. */
    public void forget(ResourceID object) {
        held.remove(object);
    }

    private static Instant min(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
