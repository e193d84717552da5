package io.capoa.runtime.debug;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadDumpTest {

    @Test
    void virtualThreads_areInTheDump() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread waiting = Thread.ofVirtual().name("a-reconcile").start(() -> {
            begun.countDown();
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        begun.await();
        try {
            assertThat(ThreadDump.answer().status()).isEqualTo(200);
            assertThat(ThreadDump.answer().body())
                    .contains("\"a-reconcile\" virtual", getClass().getName());
        } finally {
            waiting.interrupt();
        }
    }
}
