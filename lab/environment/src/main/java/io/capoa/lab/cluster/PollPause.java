package io.capoa.lab.cluster;

import java.time.Duration;

/**
 * Pauses of a test that polls an API server: short at first, because most conditions hold soon, then longer, because
 * polls at a high rate cost the test and the server more than what is tested.
 */
public final class PollPause {

    /** Pause before the second poll. */
    public static final Duration FIRST = Duration.ofMillis(25);

    private static final Duration LONGEST = Duration.ofMillis(200);

    private PollPause() {}

    /** The pause that follows one of the given length. */
    public static Duration after(Duration previous) {
        Duration twice = previous.multipliedBy(2);
        return twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }
}
