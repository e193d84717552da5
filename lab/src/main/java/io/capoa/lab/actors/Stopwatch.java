package io.capoa.lab.actors;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Measures how much of a delay is left, from the first time that it was asked for. */
public final class Stopwatch {

    private final Delays delays;
    private final Map<String, Long> began = new ConcurrentHashMap<>();

    public Stopwatch(Delays delays) {
        this.delays = delays;
    }

    /** What is left of the delay for this subject; {@code null} when it is over. */
    public @Nullable Duration left(Delays.Of of, String subject) {
        Duration delay = delays.get(of);
        if (delay.isZero()) {
            return null;
        }
        long since = began.computeIfAbsent(of + " " + subject, k -> System.nanoTime());
        Duration left = delay.minusNanos(System.nanoTime() - since);
        return left.isPositive() ? left : null;
    }

    /** Forgets the subject: the next delay of it begins anew. */
    public void reset(Delays.Of of, String subject) {
        began.remove(of + " " + subject);
    }
}
