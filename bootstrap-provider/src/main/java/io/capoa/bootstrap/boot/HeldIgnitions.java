package io.capoa.bootstrap.boot;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the bytes of downloaded ignitions in memory before they are stored, in total and per namespace. A manager has
 * 128 MiB of heap, and storing an ignition takes about six times its size.
 */
final class HeldIgnitions {

    /** About 240 ordinary ignitions. */
    static final int BYTES = 12 << 20;

    /** So that the servers of one namespace leave room for others. */
    static final int BYTES_PER_NAMESPACE = 4 << 20;

    private final Map<String, Integer> byNamespace = new HashMap<>();
    private int all;

    /** Adds to what a namespace holds; {@code false} and nothing is added where that would be too much. */
    synchronized boolean take(String namespace, int bytes) {
        int its = byNamespace.getOrDefault(namespace, 0);
        if (its + bytes > BYTES_PER_NAMESPACE || all + bytes > BYTES) {
            return false;
        }
        byNamespace.put(namespace, its + bytes);
        all += bytes;
        return true;
    }

    synchronized void give(String namespace, int bytes) {
        all -= bytes;
        byNamespace.computeIfPresent(namespace, (name, its) -> its > bytes ? its - bytes : null);
    }
}
