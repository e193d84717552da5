package io.capoa.runtime.lookup;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer and its clock, which a test moves by hand; runs due tasks on the test's thread. */
final class ManualTimer extends ScheduledThreadPoolExecutor {

    private record Task(Instant due, Runnable run) {}

    private final List<Task> tasks = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    ManualTimer() {
        super(0);
    }

    Instant now() {
        return now;
    }

    int scheduled() {
        return tasks.size();
    }

    /** Moves the clock, stopping at each task that is due. */
    void pass(Duration time) {
        Instant end = now.plus(time);
        while (true) {
            Task next = tasks.stream()
                    .filter(task -> !task.due.isAfter(end))
                    .min(Comparator.comparing(Task::due))
                    .orElse(null);
            if (next == null) {
                now = end;
                return;
            }
            tasks.remove(next);
            now = next.due.isAfter(now) ? next.due : now;
            next.run.run();
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        tasks.add(new Task(now.plus(Duration.of(delay, unit.toChronoUnit())), command));
        // The lookup ignores the future.
        return super.schedule(() -> {}, Long.MAX_VALUE, unit);
    }

    Clock clock() {
        return new Clock() {
            @Override
            public Instant instant() {
                return now;
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }
}
