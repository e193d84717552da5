package io.capoa.lab.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the operators of one cluster after a change, and when something is due; idle otherwise. */
final class UpgradeTimer {

    private static final Logger LOG = LoggerFactory.getLogger(UpgradeTimer.class);

    private final ScheduledExecutorService executor;
    private final Runnable task;
    private final AtomicBoolean queued = new AtomicBoolean();
    private @Nullable Future<?> due;

    UpgradeTimer(ScheduledExecutorService executor, Runnable task) {
        this.executor = executor;
        this.task = task;
    }

    /** One thread for the operators of all clusters, which ends while none has anything to do. */
    static ScheduledExecutorService executor() {
        var executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("workload-operators").factory());
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        return executor;
    }

    void soon() {
        if (queued.compareAndSet(false, true)) {
            executor.execute(this::run);
        }
    }

    /** Replaces the time of the next run; empty for none. */
    synchronized void at(Optional<Instant> time) {
        if (due != null) {
            due.cancel(false);
        }
        due = time.<Future<?>>map(instant -> executor.schedule(
                        this::run,
                        Math.max(1, Duration.between(Instant.now(), instant).toNanos()),
                        TimeUnit.NANOSECONDS))
                .orElse(null);
    }

    private void run() {
        queued.set(false);
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("The operators of a workload cluster failed", e);
        }
    }
}
