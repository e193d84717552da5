package io.capoa.lab.controller;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Measures delays per subject, each from the first call. */
public final class Stopwatch {

    private final Delays delays;
    private final Map<String, Long> began = new ConcurrentHashMap<>();

    public Stopwatch(Delays delays) {
        this.delays = delays;
    }

    /** The rest of the delay for this subject; {@code null} when it is over. */
    public @Nullable Duration left(Delays.Of of, String subject) {
        Duration delay = delays.get(of);
        if (delay.isZero()) {
            return null;
        }
        long since = began.computeIfAbsent(of + " " + subject, k -> System.nanoTime());
        Duration left = delay.minusNanos(System.nanoTime() - since);
        return left.isPositive() ? left : null;
    }

    /** Resets the delay of the subject: it starts again at the next call. */
    public void reset(Delays.Of of, String subject) {
        began.remove(of + " " + subject);
    }
}
