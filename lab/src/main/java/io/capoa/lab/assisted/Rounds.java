package io.capoa.lab.assisted;

import io.capoa.lab.actors.Delays;
import java.time.Duration;
import java.time.Instant;

/**
 * The rounds in which the service looks at all hosts and clusters: what depends on the answers of more than one host, or of
 * several steps of an agent, comes true round by round.
 *
 * @param takes how long a round takes
 */
record Rounds(Duration takes) {

    /** What a round takes where nothing else takes any time: states must be seen to be gone through. */
    private static final Duration LEAST = Duration.ofMillis(40);

    static Rounds of(Delays delays) {
        Duration wanted = delays.get(Delays.Of.ROUND);
        return new Rounds(wanted.compareTo(LEAST) < 0 ? LEAST : wanted);
    }

    /** Whether the round that began then is over. */
    boolean isOver(Instant begun) {
        return left(begun).isZero();
    }

    /** What is left of the round that began then. */
    Duration left(Instant begun) {
        Duration left = takes.minus(Duration.between(begun, Instant.now()));
        return left.isPositive() ? left.plusMillis(1) : Duration.ZERO;
    }
}
