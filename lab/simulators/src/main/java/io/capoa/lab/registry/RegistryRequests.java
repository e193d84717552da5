package io.capoa.lab.registry;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The requests that a registry received, in order. */
public final class RegistryRequests {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    private volatile Instant latest = Instant.EPOCH;

    void add(String method, String path) {
        latest = Instant.now();
        lines.add(method + " " + path);
    }

    /** Number of requests, including those for tokens. */
    public int count() {
        return lines.size();
    }

    /** Time of the latest request. */
    public Instant latest() {
        return latest;
    }

    /** Method and path of each request. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Resets the record. */
    public void clear() {
        lines.clear();
    }
}
