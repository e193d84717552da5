package io.capoa.runtime.manager;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process: once, within a bound, with the right exit code.
 *
 * <p>The JVM ends with 143 after SIGTERM and waits for threads that libraries left behind; so the shutdown hook halts
 * the JVM itself, with 0 when a signal asked for the stop and with 1 when a failure did.
 */
final class ProcessEnd {

    private static final Logger log = LoggerFactory.getLogger(ProcessEnd.class);

    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final Duration bound;
    private final Runnable stop;
    private final Consumer<String> announcement;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int exitCode;

    /**
     * @param bound after this long the process ends, whatever the stop still does
     * @param announcement tells others the reason of an immediate end; may block
     */
    ProcessEnd(Duration bound, Runnable stop, Consumer<String> announcement) {
        this.bound = bound;
        this.stop = stop;
        this.announcement = announcement;
    }

    /** From now on SIGTERM and SIGINT are a planned stop, and {@code System.exit} ends as quickly as one. */
    void onSignal() {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            planned();
                            Runtime.getRuntime().halt(exitCode);
                        },
                        "stop"));
    }

    /** Whether the stop has begun: what fails from then on fails because of it. */
    boolean hasBegun() {
        return begun.get();
    }

    /** Stops after a failure; returns the exit code for {@code System.exit}. */
    int afterFailure() {
        if (!begun.get()) {
            exitCode = 1;
        }
        stopOnce("Stopping after a failure");
        return exitCode;
    }

    /** Stops without a failure, and leaves the process to its owner. */
    void planned() {
        stopOnce("Stopping");
    }

    /**
     * Ends the process now, without another write to what it manages: another replica may lead already. The log may have no
     * reader, the API server may not answer: the end does not wait for either longer than a second.
     */
    void immediately(String reason) {
        var deadline = Instant.now().plus(LAST_WORDS);
        try {
            var words = Stream.<Runnable>of(
                            () -> TerminationMessage.write(reason),
                            () -> log.error("{}; ending at once", reason),
                            () -> announcement.accept(reason))
                    .map(Thread.ofPlatform().daemon().name("last-words")::start)
                    .toList();
            for (var word : words) {
                var unused = word.join(Duration.between(Instant.now(), deadline));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }

    private void stopOnce(String announcement) {
        if (begun.compareAndSet(false, true)) {
            log.info(announcement);
            Thread.ofPlatform().daemon().name("stopping").start(() -> {
                try {
                    stop.run();
                } catch (RuntimeException e) {
                    log.warn("Stopping went wrong", e);
                } finally {
                    stopped.countDown();
                }
            });
        }
        try {
            if (!stopped.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("Still not stopped after {} ms: ending anyway", bound.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
