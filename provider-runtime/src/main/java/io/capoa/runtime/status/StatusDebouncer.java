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
import java.util.Set;
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
 * depend on how many others there are. It does not grow for a status on which a person has to act, nor because of one that
 * has the longest patience anyway.
 *
 * <p>The longest delay counts from the first change that is not written. A status that follows one with a longer patience
 * has the rest of that delay to last for its own.
 *
 * @param <S> the status, compared by value
 */
public final class StatusDebouncer<S> {

    /** Maximum delay of any status. */
    static final Duration LONGEST = Duration.ofSeconds(20);

    /** Maximum delay of a status on which a person has to act. */
    static final Duration URGENT = Duration.ofSeconds(2);

    /**
     * A status that is held back.
     *
     * @param since when it got this content
     * @param first when the object got the first of the contents that are not written
     * @param urgent since when a person has to act; {@code null} if none has to
     * @param patience with this content
     * @param longest the longest patience since the first
     * @param taken whether its object has been requeued because it is due
     */
    private record Held(
            Object content,
            Instant since,
            Instant first,
            @Nullable Instant urgent,
            Patience patience,
            Duration longest,
            boolean taken) {

        static Held first(Object content, Patience patience, Instant now) {
            return new Held(content, now, now, patience.urgent() ? now : null, patience, patience.still(), false);
        }

        Held then(Object next, Patience with, Instant now) {
            return new Held(
                    next,
                    content.equals(next) ? since : now,
                    first,
                    with.urgent() ? Objects.requireNonNullElse(urgent, now) : null,
                    with,
                    max(longest, with.still()),
                    false);
        }

        Held take() {
            return new Held(content, since, first, urgent, patience, longest, true);
        }
    }

    private final Clock clock;
    private final int together;
    private final int times;
    private final Function<S, ?> content;
    private final BiFunction<@Nullable S, S, Patience> patience;
    private final Map<ResourceID, Held> held = new ConcurrentHashMap<>();
    /** Those with less than the longest patience. */
    private final Set<ResourceID> impatient = ConcurrentHashMap.newKeySet();

    /**
     * Starts without held statuses.
     *
     * @param together how many statuses may be held back before the patience grows: with twice as many it is twice as
     *     long, up to {@link #LONGEST}
     * @param times maximum delay of a status that keeps changing, in multiples of its patience, up to {@link #LONGEST}
     * @param content of a status without its timestamps; compared by value
     * @param patience with a status that follows another, a pure function
     */
    public StatusDebouncer(
            Clock clock,
            int together,
            int times,
            Function<S, ?> content,
            BiFunction<@Nullable S, S, Patience> patience) {
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
        Patience alone = Objects.equals(after, before) ? Patience.NONE : patience.apply(before, after);
        if (alone.still().isZero()) {
            forget(object);
            return Optional.empty();
        }
        Instant now = clock.instant();
        Object says = content.apply(after);
        Held known = held.get(object);
        Held current = known == null ? Held.first(says, alone, now) : known.then(says, alone, now);
        held.put(object, current);
        if (alone.equals(Patience.LONGEST)) {
            impatient.remove(object);
        } else {
            impatient.add(object);
        }
        Instant due = due(current);
        if (!now.isBefore(due)) {
            forget(object);
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
            if (!status.taken() && !now.isBefore(due(status)) && held.replace(object, status, status.take())) {
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
        Instant latest = current.first().plus(min(crowded(current.longest()).multipliedBy(times), LONGEST));
        Instant urgent = current.urgent();
        return urgent == null
                ? min(current.since().plus(crowded(current.patience().still())), latest)
                : min(min(current.since().plus(current.patience().still()), urgent.plus(URGENT)), latest);
    }

    private Duration crowded(Duration alone) {
        return max(alone, min(alone.multipliedBy(impatient.size()).dividedBy(together), LONGEST));
    }

    /** Drops what is held for a deleted object. */
    public void forget(ResourceID object) {
        held.remove(object);
        impatient.remove(object);
    }

    private static <T extends Comparable<? super T>> T min(T a, T b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static <T extends Comparable<? super T>> T max(T a, T b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
