package io.capoa.runtime.lookup;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Current result of a lookup that may fail. */
public sealed interface LookupResult<V> {

    /** The server has answered with a usable value. */
    record Known<V>(V value) implements LookupResult<V> {}

    /** The server has not answered, or has not been asked. */
    record Pending<V>() implements LookupResult<V> {}

    /**
     * The server gave no usable answer.
     *
     * @param reason of conditions
     * @param message names the cause and the remedy, without tokens; the same failure gives the same message each time
     * @param retryAt when the server is asked again, automatically; {@link Instant#MAX} if only a change of the request
     *     can help
     */
    record Failed<V>(String reason, String message, Instant retryAt) implements LookupResult<V> {}

    /** The pause before the next attempt; empty unless the latest one failed. */
    static Optional<Duration> pause(@Nullable LookupResult<?> latest, Instant now) {
        return latest instanceof Failed<?> failed
                ? Optional.of(Duration.between(now, failed.retryAt()))
                : Optional.empty();
    }
}
