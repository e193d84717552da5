package io.capoa.controlplane.workload;

import java.time.Duration;
import java.time.Instant;

/**
 * What was read of an installed cluster, and when.
 *
 * @param at when the reading began: what happened later it may not show
 */
public record Observed<T>(T value, Instant at) {

    /** Nothing that destroys rests on an older observation. */
    public static final Duration LONGEST_AGE = Duration.ofSeconds(10);

    /** Whether a destructive decision may rest on it; one from the future is of another clock and does not count. */
    public boolean isFresh(Instant now) {
        return !at.isAfter(now) && !at.plus(LONGEST_AGE).isBefore(now);
    }
}
