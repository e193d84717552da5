package io.capoa.lab.registry;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The requests that a registry received, in order. */
public final class Requests {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    void add(String method, String path) {
        lines.add(method + " " + path);
    }

    /** How many there were, for tokens too. */
    public int count() {
        return lines.size();
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
