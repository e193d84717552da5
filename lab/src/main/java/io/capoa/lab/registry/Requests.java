package io.capoa.lab.registry;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The requests that a registry received, in order. */
public final class Requests {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    private volatile Instant latest = Instant.EPOCH;

    void add(String method, String path) {
        latest = Instant.now();
        lines.add(method + " " + path);
    }

    /** How many there were, for tokens too. */
    public int count() {
        return lines.size();
    }

    /** When the latest came in. */
    public Instant latest() {
        return latest;
    }

    /** Method and path of each. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Begins anew. */
    public void clear() {
        lines.clear();
    }
}
