package io.capoa.runtime.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends one request after the other, each when the response of the one before has been read and used. No thread waits for
 * its turn.
 */
final class Turns {

    private final Duration longest;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(true);

    /** @param longest after which the next request does not wait any longer */
    Turns(Duration longest) {
        this.longest = longest;
    }

    /** Sends a request in its turn. */
    synchronized <T> CompletableFuture<T> take(Supplier<CompletableFuture<T>> request) {
        CompletableFuture<T> response = new CompletableFuture<>();
        last = last.thenCompose(before -> run(request, response)
                .handle((used, failure) -> true)
                .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> true));
        return response;
    }

    /** Completes the response, which its dependents use in the same thread. */
    private static <T> CompletableFuture<Boolean> run(
            Supplier<CompletableFuture<T>> request, CompletableFuture<T> response) {
        try {
            return request.get()
                    .handle((answer, failure) ->
                            failure == null ? response.complete(answer) : response.completeExceptionally(failure));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(response.completeExceptionally(e));
        }
    }
}
