package io.capoa.runtime.lookup;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Produces the answers of an {@link AsyncLookup}.
 *
 * @param <K> key
 * @param <Q> query: what an attempt needs besides the key
 * @param <V> answer, compared by value
 */
public interface LookupSource<K, Q, V> {

    /**
     * Makes one attempt, on a virtual thread; it may block.
     *
     * @param unsettled attempts since the first request or restart that were to be repeated
     * @param done takes the answer, from any thread, at most once; {@code null} if there is none, as after an exception
     */
    void ask(K key, Q query, int unsettled, Consumer<@Nullable V> done);

    /**
     * The pause until the next attempt; empty if the query is settled. Called under the lookup's lock.
     *
     * @param latest answer of the attempt that has just ended
     * @param kept the answer that is kept now: the latest that was not {@code null}
     * @param unsettled as in {@link #ask}
     */
    Optional<Duration> again(Q query, @Nullable V latest, @Nullable V kept, int unsettled);

    /** Called, from any thread, after the key's answer has changed or a refreshed answer has arrived. */
    void changed(K key);
}
