package io.capoa.runtime.watch;

import java.util.HashMap;
import java.util.Map;

/** Memory for the content of objects in one or several caches: a limit for all, and half of it for a namespace. */
final class CacheRoom {

    /** Part of the heap for the specs of an own kind. */
    private static final double OWN_KIND = 1 / 4.0;

    /** Part of the heap for all kinds of others together. */
    private static final double KINDS_OF_OTHERS = 3 / 8.0;

    private final long limit;
    private final Map<String, Long> ofNamespaces = new HashMap<>();
    private long all;

    /** @param limit in bytes */
    CacheRoom(long limit) {
        this.limit = limit;
    }

    static CacheRoom ofOwnKind() {
        return ofHeap(OWN_KIND);
    }

    static CacheRoom ofOthers() {
        return ofHeap(KINDS_OF_OTHERS);
    }

    private static CacheRoom ofHeap(double part) {
        return new CacheRoom((long) (Runtime.getRuntime().maxMemory() * part));
    }

    /** Takes room for so many bytes, if there is as much. */
    synchronized boolean take(String namespace, long weight) {
        if (all + weight > limit || isTooMuchOf(namespace, weight)) {
            return false;
        }
        all += weight;
        ofNamespaces.merge(namespace, weight, Long::sum);
        return true;
    }

    synchronized void giveBack(String namespace, long weight) {
        all -= weight;
        ofNamespaces.computeIfPresent(namespace, (key, sum) -> sum == weight ? null : sum - weight);
    }

    /** The limit that so many bytes more would exceed, such as {@code 16 MiB in namespace a}. */
    synchronized String exceeded(String namespace, long weight) {
        return isTooMuchOf(namespace, weight)
                ? "%d MiB in namespace %s".formatted((limit / 2) >> 20, namespace)
                : "%d MiB in all namespaces together".formatted(limit >> 20);
    }

    private boolean isTooMuchOf(String namespace, long weight) {
        return ofNamespaces.getOrDefault(namespace, 0L) + weight > limit / 2;
    }
}
