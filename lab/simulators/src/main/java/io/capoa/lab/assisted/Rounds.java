package io.capoa.lab.assisted;

import io.capoa.lab.controller.Delays;
import java.time.Duration;
import java.time.Instant;

/**
 * The intervals in which the service validates all hosts and clusters: results that depend on several hosts, or on
 * several steps of an agent, change round by round.
 *
 * @param takes duration of a round
 */
record Rounds(Duration takes) {

    /** Minimum duration, so that each state can be observed. */
    static final Duration LEAST = Duration.ofMillis(40);

    static Rounds of(Delays delays) {
        Duration wanted = delays.get(Delays.Of.ROUND);
        return new Rounds(wanted.compareTo(LEAST) < 0 ? LEAST : wanted);
    }

    /** Whether a round with this start is over. */
    boolean isOver(Instant begun) {
        return left(begun).isZero();
    }

    /** The rest of a round with this start. */
    Duration left(Instant begun) {
        Duration left = takes.minus(Duration.between(begun, Instant.now()));
        return left.isPositive() ? left.plusMillis(1) : Duration.ZERO;
    }
}
