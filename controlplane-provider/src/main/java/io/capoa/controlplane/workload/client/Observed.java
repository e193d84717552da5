package io.capoa.controlplane.workload.client;

import java.time.Duration;
import java.time.Instant;

/**
 * An observation of a workload cluster.
 *
 * @param at when the query started: it may miss later changes
 */
public record Observed<T>(T value, Instant at) {

    /** Maximum age for a destructive decision. */
    public static final Duration LONGEST_AGE = Duration.ofSeconds(10);

    /** Whether it is fresh enough for a destructive decision; one from the future is of another clock, and is not. */
    public boolean isFresh(Instant now) {
        return !at.isAfter(now) && !at.plus(LONGEST_AGE).isBefore(now);
    }
}
