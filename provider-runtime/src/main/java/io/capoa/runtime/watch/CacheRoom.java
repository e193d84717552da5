package io.capoa.runtime.watch;

import java.util.HashMap;
import java.util.Map;

/** Memory for the content of objects in one or several caches: a limit for all, and half of it for a namespace. */
public final class CacheRoom {

    /** For the specs of an own kind: an eighth of the heap. */
    private static final int OWN_KIND = 8;

    /**
     * For all kinds of others together: a quarter of the heap. A manager has two own kinds; the other half of the heap is for
     * what it does: events that arrive, up to 16 MiB of them unread, and admission reviews.
     */
    private static final int KINDS_OF_OTHERS = 4;

    private final long limit;
    private final Map<String, Long> ofNamespaces = new HashMap<>();
    private long all;

    /** @param limit in bytes */
    CacheRoom(long limit) {
        this.limit = limit;
    }

    static CacheRoom ofOwnKind() {
        return new CacheRoom(Runtime.getRuntime().maxMemory() / OWN_KIND);
    }

    static CacheRoom ofOthers() {
        return ofOthers(Runtime.getRuntime().maxMemory());
    }

    /** For all kinds of others, in a heap of so many bytes. */
    public static CacheRoom ofOthers(long heap) {
        return new CacheRoom(heap / KINDS_OF_OTHERS);
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
