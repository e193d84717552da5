package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.api.config.BaseConfigurationService;
import io.javaoperatorsdk.operator.api.config.ExecutorServiceManager;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SchedulerThreadsTest {

    @Test
    void whileATaskWaits_itsThreadSleeps() throws Exception {
        ExecutorServiceManager kept = new BaseConfigurationService().getExecutorServiceManager();
        ExecutorServiceManager asTheyCome = new BaseConfigurationService().getExecutorServiceManager();
        try {
            SchedulerThreads.keepOne(kept);
            long thread = threadOfAWaitingTask(kept);
            long other = threadOfAWaitingTask(asTheyCome);

            long before = waits(thread);
            long awake = waits(other) + 50;
            await().until(() -> waits(other) > awake);
            assertThat(waits(thread) - before)
                    .as("while a thread that is no core thread has woken up 50 times")
                    .isLessThan(10);
        } finally {
            kept.stop(Duration.ofMillis(1));
            asTheyCome.stop(Duration.ofMillis(1));
        }
    }

    private static long threadOfAWaitingTask(ExecutorServiceManager executors) throws Exception {
        ScheduledExecutorService scheduler = executors.scheduledExecutorService();
        var unused = scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
        return scheduler
                .schedule(() -> Thread.currentThread().threadId(), 0, TimeUnit.SECONDS)
                .get(10, TimeUnit.SECONDS);
    }

    private static long waits(long thread) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread).getWaitedCount();
    }
}
