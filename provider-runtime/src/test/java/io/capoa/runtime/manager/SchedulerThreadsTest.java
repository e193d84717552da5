package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

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
        ExecutorServiceManager executors = new BaseConfigurationService().getExecutorServiceManager();
        try {
            SchedulerThreads.keepOne(executors);
            ScheduledExecutorService scheduler = executors.scheduledExecutorService();
            var unused = scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
            long thread = scheduler
                    .schedule(() -> Thread.currentThread().threadId(), 0, TimeUnit.SECONDS)
                    .get(10, TimeUnit.SECONDS);

            long before = waits(thread);
            Thread.sleep(500);
            assertThat(waits(thread) - before)
                    .as("without the core thread it wakes up every 10 ms")
                    .isLessThan(10);
        } finally {
            executors.stop(Duration.ofMillis(1));
        }
    }

    private static long waits(long thread) {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread).getWaitedCount();
    }
}
