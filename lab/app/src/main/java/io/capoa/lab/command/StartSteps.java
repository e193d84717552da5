package io.capoa.lab.command;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Names the step of the start that takes long, and again whenever the time has doubled; a quick start stays without
 * further lines.
 */
final class StartSteps implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private final Clock clock;
    private @Nullable Thread watcher;
    private @Nullable String step;
    private Instant since;
    private Duration next = PATIENCE;

    /**
     * Starts to watch.
     *
     * @param say receives the lines
     */
    static StartSteps watching(Consumer<String> say) {
        StartSteps steps = new StartSteps(Clock.systemUTC());
        steps.watcher = Thread.ofVirtual().name("steps").start(() -> steps.watch(say));
        return steps;
    }

    StartSteps(Clock clock) {
        this.clock = clock;
        this.since = clock.instant();
    }

    /** The step that begins now. */
    synchronized void begin(String text) {
        step = text;
        since = clock.instant();
        next = PATIENCE;
    }

    /** The step that has begun last; empty before the first. */
    synchronized Optional<String> current() {
        return Optional.ofNullable(step);
    }

    /** The line that is due; empty if the step has not lasted long enough since the last one. */
    synchronized Optional<String> due() {
        Duration lasted = Duration.between(since, clock.instant());
        if (step == null || lasted.compareTo(next) < 0) {
            return Optional.empty();
        }
        while (next.compareTo(lasted) <= 0) {
            next = next.multipliedBy(2);
        }
        return Optional.of("  %s: %d s so far …".formatted(step, lasted.toSeconds()));
    }

    private void watch(Consumer<String> say) {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
                due().ifPresent(say);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (watcher != null) {
            watcher.interrupt();
        }
    }
}
