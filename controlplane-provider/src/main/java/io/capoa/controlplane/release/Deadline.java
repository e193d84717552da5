package io.capoa.controlplane.release;

import java.time.Duration;

/** The end of a series of requests; immune to clock steps. */
record Deadline(long nanoTime) {

    static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    /** What is left, at least a millisecond. */
    Duration left() {
        long left = nanoTime - System.nanoTime();
        return left < 1_000_000 ? Duration.ofMillis(1) : Duration.ofNanos(left);
    }

    boolean allows(Duration pause) {
        return nanoTime - System.nanoTime() > pause.toNanos();
    }
}
