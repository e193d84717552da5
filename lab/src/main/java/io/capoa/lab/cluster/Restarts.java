package io.capoa.lab.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** When a part of the control plane is started again after it ended: at once, then after growing pauses, not for ever. */
final class Restarts {

    private static final Duration REMEMBERED = Duration.ofMinutes(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int MOST = 10;

    private final Deque<Instant> ends = new ArrayDeque<>();

    /** Takes note of an end; how long to wait, or empty when there were too many within a minute. */
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
