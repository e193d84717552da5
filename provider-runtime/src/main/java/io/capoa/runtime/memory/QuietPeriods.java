package io.capoa.runtime.memory;

import java.time.Duration;

/** Finds the ends of busy times in successive readings of the process's CPU time. */
final class QuietPeriods {

    /** A process that uses less than this part of a processor is at rest. */
    private static final double AT_REST = 0.1;

    private boolean busy = true;
    private long lastCpuNanos = -1;

    /**
     * Adds a reading.
     *
     * @param cpuNanos CPU time of the process until now
     * @param sinceLast time since the reading before
     * @return whether a quiet time has begun, which each ends a busy one
     */
    boolean begins(long cpuNanos, Duration sinceLast) {
        long before = lastCpuNanos;
        lastCpuNanos = cpuNanos;
        if (before < 0) {
            return false;
        }
        boolean wasBusy = busy;
        busy = cpuNanos - before > AT_REST * sinceLast.toNanos();
        return wasBusy && !busy;
    }
}
