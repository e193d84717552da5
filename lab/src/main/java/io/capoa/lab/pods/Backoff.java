package io.capoa.lab.pods;

import java.time.Duration;
import java.time.Instant;

/** How long a container that ended waits: not at all the first time, then a pause that doubles. */
final class Backoff {

    private static final int LONGEST = 30;
    /** Whoever ran this many of the longest pauses is taken for healthy again. */
    private static final int FORGOTTEN_AFTER = 2;

    private final Duration base;
    private Duration pause = Duration.ZERO;
    private Instant until = Instant.MIN;

    Backoff(Duration base) {
        this.base = base;
    }

    /** Takes note of an end. */
    void ended(Instant started, Instant finished) {
        Duration longest = base.multipliedBy(LONGEST);
        if (Duration.between(started, finished).compareTo(longest.multipliedBy(FORGOTTEN_AFTER)) >= 0) {
            pause = Duration.ZERO;
        }
        until = finished.plus(pause);
        Duration doubled = pause.isZero() ? base : pause.multipliedBy(2);
        pause = doubled.compareTo(longest) > 0 ? longest : doubled;
    }

    /** What is left of the pause; zero when it is over. */
    Duration left(Instant now) {
        return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
    }
}
