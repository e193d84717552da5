package io.capoa.lab.pods;

import java.time.Duration;
import java.time.Instant;

/** Crash-loop back-off of a container: none the first time, then doubling. */
final class RestartBackoff {

    private static final int LONGEST = 30;
    /** A container that ran for this multiple of the longest back-off is healthy again. */
    private static final int FORGOTTEN_AFTER = 2;

    private final Duration base;
    private Duration pause = Duration.ZERO;
    private Instant until = Instant.MIN;

    RestartBackoff(Duration base) {
        this.base = base;
    }

    /** Records an exit. */
    void ended(Instant started, Instant finished) {
        Duration longest = base.multipliedBy(LONGEST);
        if (Duration.between(started, finished).compareTo(longest.multipliedBy(FORGOTTEN_AFTER)) >= 0) {
            pause = Duration.ZERO;
        }
        until = finished.plus(pause);
        Duration doubled = pause.isZero() ? base : pause.multipliedBy(2);
        pause = doubled.compareTo(longest) > 0 ? longest : doubled;
    }

    /** The rest of the back-off; zero when it is over. */
    Duration left(Instant now) {
        return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
    }
}
