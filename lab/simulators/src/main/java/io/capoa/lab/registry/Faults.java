package io.capoa.lab.registry;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Simulated faults of the registry; they take effect with the next request. */
public final class Faults {

    private final Set<String> absent = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> remaining = new ConcurrentHashMap<>();
    private volatile boolean down;
    private volatile boolean refusing;
    private volatile boolean truncating;
    private volatile @Nullable Duration delay;

    /** Aborts connections without a response. */
    public Faults down(boolean on) {
        down = on;
        return this;
    }

    /** Responds 401 to every request. */
    public Faults refusing(boolean on) {
        refusing = on;
        return this;
    }

    /** Truncates blobs. */
    public Faults truncatingLayers(boolean on) {
        truncating = on;
        return this;
    }

    /** Responds 404 for tags that contain the text. */
    public Faults absent(String version) {
        absent.add(version);
        return this;
    }

    /** Serves these tags again. */
    public Faults present(String version) {
        absent.remove(version);
        return this;
    }

    /** Responds to the next requests with the status, such as 429 or 503. */
    public Faults answering(int status, int times) {
        remaining.put("status", status);
        remaining.put("times", times);
        return this;
    }

    /** Delay of each response; {@code null} for the lab's delay. */
    public Faults delay(@Nullable Duration each) {
        delay = each;
        return this;
    }

    boolean isDown() {
        return down;
    }

    boolean isRefusing() {
        return refusing;
    }

    boolean isTruncating() {
        return truncating;
    }

    boolean isAbsent(String tag) {
        return absent.stream().anyMatch(tag::contains);
    }

    Duration delayOr(Duration otherwise) {
        Duration own = delay;
        return own == null ? otherwise : own;
    }

    /** The status to respond with, or 0; counts down. */
    int takeStatus() {
        int before = remaining.getOrDefault("times", 0);
        if (before <= 0) {
            return 0;
        }
        remaining.merge("times", -1, Integer::sum);
        return remaining.getOrDefault("status", 0);
    }
}
