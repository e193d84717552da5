package io.capoa.runtime.status;

import io.capoa.api.conditions.Condition;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds a status back while it changes faster than people can read, so that a state that passes at once costs no write.
 * A state that stays is shown after {@link #still}, whatever changes at the latest after {@link #longest}; what others
 * wait for is never held back.
 */
public final class StatusGathering {

    private record Held(Object content, Instant since, Instant first) {}

    private final Clock clock;
    private final Duration still;
    private final Duration longest;
    private final Map<ResourceID, Held> held = new ConcurrentHashMap<>();

    /**
     * A gathering for all objects of one kind.
     *
     * @param still for how long a status has to stay as it is before it is written
     * @param longest after which it is written although it still changes
     */
    public StatusGathering(Clock clock, Duration still, Duration longest) {
        this.clock = clock;
        this.still = still;
        this.longest = longest;
    }

    /**
     * How long a status is to wait for what comes next; empty when it is to be written now, or says nothing new.
     *
     * @param content what the status says, without times; compared by value
     * @param urgent whether others wait for what it says
     */
    public Optional<Duration> hold(ResourceID id, @Nullable Object before, Object content, boolean urgent) {
        if (urgent || content.equals(before)) {
            held.remove(id);
            return Optional.empty();
        }
        Instant now = clock.instant();
        Held known = held.get(id);
        Held current = known == null
                ? new Held(content, now, now)
                : known.content().equals(content) ? known : new Held(content, now, known.first());
        Instant due = min(current.since().plus(still), current.first().plus(longest));
        if (!now.isBefore(due)) {
            held.remove(id);
            return Optional.empty();
        }
        held.put(id, current);
        return Optional.of(Duration.between(now, due));
    }

    public void forget(ResourceID id) {
        held.remove(id);
    }

    /** A condition without the time of its transition, which is not news by itself. */
    public static Condition timeless(Condition condition) {
        return new Condition(condition.type(), condition.status(), condition.reason(), condition.message(), "", null);
    }

    private static Instant min(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
