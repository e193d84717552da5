package io.capoa.lab.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Measures delays per object, each from the first call. */
public final class Stopwatch {

    private final Delays delays;
    private final Map<String, Long> began = new ConcurrentHashMap<>();

    public Stopwatch(Delays delays) {
        this.delays = delays;
    }

    /** The rest of the delay for this object; {@code null} when it is over. */
    public @Nullable Duration left(Delays.Of of, HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        Duration delay = delays.in(metadata.getNamespace()).get(of);
        if (delay.isZero()) {
            return null;
        }
        long since = began.computeIfAbsent(of + " " + metadata.getUid(), k -> System.nanoTime());
        Duration left = delay.minusNanos(System.nanoTime() - since);
        return left.isPositive() ? left : null;
    }

    /** Resets the delay of the object: it starts again at the next call. */
    public void reset(Delays.Of of, HasMetadata object) {
        began.remove(of + " " + object.getMetadata().getUid());
    }
}
