package io.capoa.runtime.status;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
 * <p>When many objects change together, each of their states lasts longer, because all of them share one machine. The
 * patience grows with the number of statuses that are held back, so that the number of writes of an object does not
 * depend on how many others there are.
 *
 * @param <S> the status, compared by value
 */
public final class StatusDebouncer<S> {

    /** Maximum delay of a status because of others. */
    static final Duration LONGEST = Duration.ofSeconds(20);

    /**
     * A status that is held back.
     *
     * @param since when it got this content
     * @param alone its patience without others
     * @param taken whether its object has been requeued because it is due
     */
    private record Held(Object content, Instant since, Instant first, Duration alone, boolean taken) {}

    private final Clock clock;
    private final int together;
    private final int times;
    private final Function<S, ?> content;
    private final BiFunction<@Nullable S, S, Duration> patience;
    private final Map<ResourceID, Held> held = new ConcurrentHashMap<>();

    /**
     * Starts without held statuses.
     *
     * @param together how many statuses may be held back before the patience grows: with twice as many it is twice as
     *     long, up to {@link #LONGEST}
     * @param times maximum delay of a status that keeps changing, in multiples of its patience
     * @param content of a status without its timestamps; compared by value
     * @param patience how long this status must stay unchanged before it is written; zero for at once
     */
    public StatusDebouncer(
            Clock clock,
            int together,
            int times,
            Function<S, ?> content,
            BiFunction<@Nullable S, S, Duration> patience) {
        this.clock = clock;
        this.together = together;
        this.times = times;
        this.content = content;
        this.patience = patience;
    }

    /**
     * How long to hold the status back, as long as as many others are; empty if it is to be written now, or is unchanged.
     * {@link #takeDue} names the object once it is due.
     *
     * @param before what the object has
     */
    public Optional<Duration> hold(ResourceID object, @Nullable S before, S after) {
        Duration alone = Objects.equals(after, before) ? Duration.ZERO : patience.apply(before, after);
        if (alone.isZero()) {
            held.remove(object);
            return Optional.empty();
        }
        Instant now = clock.instant();
        Object says = content.apply(after);
        Held known = held.get(object);
        Held current;
        if (known == null) {
            current = new Held(says, now, now, alone, false);
        } else {
            boolean still = known.content().equals(says);
            current = new Held(says, still ? known.since() : now, known.first(), alone, false);
        }
        held.put(object, current);
        Instant due = due(current);
        if (!now.isBefore(due)) {
            held.remove(object);
            return Optional.empty();
        }
        return Optional.of(Duration.between(now, due));
    }

    /** Whether any status is held back. */
    boolean isHolding() {
        return !held.isEmpty();
    }

    /** The objects whose status has become due since it was held back, each once. */
    List<ResourceID> takeDue() {
        Instant now = clock.instant();
        List<ResourceID> due = new ArrayList<>();
        held.forEach((object, status) -> {
            if (!status.taken()
                    && !now.isBefore(due(status))
                    && held.replace(
                            object,
                            status,
                            new Held(status.content(), status.since(), status.first(), status.alone(), true))) {
                due.add(object);
            }
        });
        return due;
    }

    /** How long until the next object is due, as long as as many are held back; empty if there is none. */
    Optional<Duration> untilNext() {
        Instant now = clock.instant();
        return held.values().stream()
                .filter(status -> !status.taken())
                .map(this::due)
                .min(Comparator.naturalOrder())
                .map(due -> max(Duration.between(now, due), Duration.ZERO));
    }

    private Instant due(Held current) {
        Duration alone = current.alone();
        Duration crowded = min(alone.multipliedBy(held.size()).dividedBy(together), LONGEST);
        Duration still = max(alone, crowded);
        Duration changing = max(alone.multipliedBy(times), min(still.multipliedBy(times), LONGEST));
        return min(current.since().plus(still), current.first().plus(changing));
    }

    /** Drops what is held for a deleted object. */
    public void forget(ResourceID object) {
        held.remove(object);
    }

    private static <T extends Comparable<? super T>> T min(T a, T b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static <T extends Comparable<? super T>> T max(T a, T b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
