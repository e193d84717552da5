package io.capoa.runtime.manager;

import io.javaoperatorsdk.operator.api.config.ExecutorServiceManager;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Lets the framework's scheduler rest. JOSDK 5.3 makes it with a core size of 0: as long as a task waits, its worker times
 * out and is replaced every 10 ms, which is most of what an idle manager spends.
 */
final class SchedulerThreads {

    private SchedulerThreads() {}

    /** Keeps one thread, which sleeps until the next task is due. */
    static void keepOne(ExecutorServiceManager executors) {
        if (executors.scheduledExecutorService() instanceof ScheduledThreadPoolExecutor scheduler
                && scheduler.getCorePoolSize() == 0) {
            scheduler.setCorePoolSize(1);
        }
    }
}
