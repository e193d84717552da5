package io.capoa.lab.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Restart policy of control-plane processes: at once, then with back-off, and a limit. */
final class Restarts {

    private static final Duration REMEMBERED = Duration.ofMinutes(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int MOST = 10;

    private final Deque<Instant> ends = new ArrayDeque<>();

    /** Records an exit; the delay until the restart, or empty after too many within a minute. */
    Optional<Duration> afterEnd(Instant now) {
        while (!ends.isEmpty() && ends.peek().isBefore(now.minus(REMEMBERED))) {
            ends.remove();
        }
        int before = ends.size();
        ends.add(now);
        if (before >= MOST) {
            return Optional.empty();
        }
        Duration pause = before == 0 ? Duration.ZERO : FIRST_PAUSE.multipliedBy(1L << (before - 1));
        return Optional.of(pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause);
    }
}
