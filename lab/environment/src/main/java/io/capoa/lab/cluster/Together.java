package io.capoa.lab.cluster;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Runs an action on many items in parallel. */
final class Together {

    /** Concurrency that an idle API server accepts. */
    private static final int AT_ONCE = 16;

    private Together() {}

    /** Returns when all are done; throws the first failure. */
    static <T> void forEach(Collection<T> things, Consumer<T> action) {
        Semaphore permits = new Semaphore(AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture.allOf(things.stream()
                            .map(thing -> CompletableFuture.runAsync(
                                    () -> {
                                        permits.acquireUninterruptibly();
                                        try {
                                            action.accept(thing);
                                        } finally {
                                            permits.release();
                                        }
                                    },
                                    threads))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
