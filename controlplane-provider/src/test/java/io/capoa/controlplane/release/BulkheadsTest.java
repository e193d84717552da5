package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One registry or namespace takes no places of others, and all together take no more than there are. */
class BulkheadsTest {

    private static final Bulkheads.Lane ALL = new Bulkheads.Lane("all", 4);
    private static final Bulkheads.Lane GREEDY = new Bulkheads.Lane("greedy", 2);

    private final Bulkheads lanes = new Bulkheads();

    @Test
    void aGreedyLaneWaits_andIsPassed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch third = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2; i++) {
                var unused = threads.submit(() -> lanes.in(List.of(GREEDY, ALL), () -> {
                    begun.countDown();
                    release.await();
                    return true;
                }));
            }
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            Future<Boolean> waiting = threads.submit(() -> lanes.in(List.of(GREEDY, ALL), () -> {
                third.countDown();
                return true;
            }));
            Future<Boolean> another =
                    threads.submit(() -> lanes.in(List.of(new Bulkheads.Lane("other", 2), ALL), () -> true));
            assertThat(another.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(third.await(200, TimeUnit.MILLISECONDS)).isFalse();
            release.countDown();
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whoStopsWaiting_leavesNoTrace() throws Exception {
        Bulkheads.Lane one = new Bulkheads.Lane("one", 1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var unused = threads.submit(() -> lanes.in(List.of(one), () -> {
                begun.countDown();
                release.await();
                return true;
            }));
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            Future<Boolean> interrupted = threads.submit(() -> lanes.in(List.of(one), () -> true));
            interrupted.cancel(true);
            release.countDown();
            assertThat(threads.submit(() -> lanes.in(List.of(one), () -> true)).get(10, TimeUnit.SECONDS))
                    .isTrue();
        }
    }
}
