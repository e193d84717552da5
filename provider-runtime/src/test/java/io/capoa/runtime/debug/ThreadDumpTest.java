package io.capoa.runtime.debug;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.runtime.threads.VirtualThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ThreadDumpTest {

    @Test
    void virtualThreads_areInTheDump_whileTheyRun() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread waiting = VirtualThreads.start("a-reconcile", () -> {
            begun.countDown();
            sleep(Duration.ofMinutes(1));
        });
        begun.await();
        try {
            assertThat(ThreadDump.answer().status()).isEqualTo(200);
            assertThat(ThreadDump.answer().body())
                    .containsPattern("\"a-reconcile\" virtual [A-Z_]+\n      java.base/")
                    .contains(
                            "\"%s\" RUNNABLE".formatted(Thread.currentThread().getName()),
                            getClass().getName());
        } finally {
            waiting.interrupt();
        }
        waiting.join();
        assertThat(ThreadDump.answer().body()).doesNotContain("a-reconcile");
    }

    /** The JVM's own dump crashes it when a virtual thread parks or ends meanwhile. */
    @Test
    void threadsMayComeAndGo_duringADump() throws Exception {
        CountDownLatch begun = new CountDownLatch(4);
        try (ExecutorService threads = VirtualThreads.perTask("short-lived-")) {
            List<? extends Future<?>> producers = IntStream.range(0, 4)
                    .mapToObj(number -> threads.submit(() -> {
                        begun.countDown();
                        while (!Thread.currentThread().isInterrupted()) {
                            threads.execute(() -> sleep(Duration.ofMillis(1)));
                            sleep(Duration.ofNanos(200_000));
                        }
                    }))
                    .toList();
            begun.await();
            for (int i = 0; i < 1_000; i++) {
                assertThat(ThreadDump.answer().body()).contains("\"short-lived-");
            }
            producers.forEach(producer -> producer.cancel(true));
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
