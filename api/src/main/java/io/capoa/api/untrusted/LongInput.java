package io.capoa.api.untrusted;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Parses long input on platform threads of its own. A virtual thread gives its carrier back only when it waits: one that
 * parses would keep all others from running meanwhile, on a machine with one processor.
 */
public final class LongInput {

    /** Bytes or characters that are parsed within a few milliseconds. */
    public static final int SHORT = 64 << 10;

    /** As many trees exist at a time. */
    private static final int THREADS = 2;

    private static final ExecutorService PARSERS = parsers();

    private LongInput() {}

    /**
     * What the parser returns or throws.
     *
     * @param length of the input
     */
    public static <T> T parse(long length, Supplier<T> parser) {
        if (length <= SHORT || !Thread.currentThread().isVirtual()) {
            return parser.get();
        }
        try {
            return CompletableFuture.supplyAsync(parser, PARSERS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e;
        }
    }

    private static ExecutorService parsers() {
        var pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("parser-", 0).factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
