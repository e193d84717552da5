package io.capoa.lab.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Pauses between looks at an API server: short at first, because most conditions hold soon, then longer, because
 * looks at a high rate cost both sides more than what is waited for.
 */
public final class PollPause {

    /** Pause before the second poll. */
    public static final Duration FIRST = Duration.ofMillis(25);

    private static final Duration LONGEST = Duration.ofMillis(250);

    private PollPause() {}

    /** The pause that follows one of the given length. */
    public static Duration after(Duration previous) {
        Duration twice = previous.multipliedBy(2);
        return twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }

    /**
     * Looks until the condition holds, or has not held for the longest time; returns whether it holds.
     *
     * @throws ClusterException if this thread is interrupted
     */
    public static boolean until(Duration longest, BooleanSupplier condition) {
        long deadline = System.nanoTime() + longest.toNanos();
        Duration pause = FIRST;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("Interrupted while waiting for the API server.", e);
            }
            pause = after(pause);
        }
        return true;
    }
}
