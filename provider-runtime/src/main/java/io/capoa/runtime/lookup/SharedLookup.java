package io.capoa.runtime.lookup;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Lets callers that look up the same key at the same time share one lookup. Neither its answer nor its failure is kept
 * for later callers.
 */
public final class SharedLookup<K, V> {

    private final Map<K, CompletableFuture<V>> running = new ConcurrentHashMap<>();

    /**
     * The answer of the lookup that runs for this key, or of this one if none runs.
     *
     * @param lookup runs on the caller's thread; must not look up the same key
     * @throws RuntimeException that of the lookup, for all who share it
     */
    public V get(K key, Supplier<V> lookup) {
        CompletableFuture<V> own = new CompletableFuture<>();
        CompletableFuture<V> other = running.putIfAbsent(key, own);
        if (other != null) {
            return await(other);
        }
        try {
            V answer = lookup.get();
            own.complete(answer);
            return answer;
        } catch (RuntimeException | Error e) {
            own.completeExceptionally(e);
            throw e;
        } finally {
            running.remove(key, own);
        }
    }

    private static <V> V await(CompletableFuture<V> other) {
        try {
            return other.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
