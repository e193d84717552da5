package io.capoa.runtime.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.runtime.connection.LeaseClients;
import io.capoa.runtime.options.ManagerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

/** Renewals while reconciles keep every carrier of virtual threads busy, as a parser of hostile input did. */
@Isolated("keeps all carriers of virtual threads busy")
class StarvedLeaderTest {

    private static final Duration DEADLINE = Duration.ofSeconds(1);

    @Test
    void aLeader_whoseCarriersAreBusyForLongerThanTheDeadline_renews() throws Exception {
        var options = new ManagerOptions();
        new CommandLine(options)
                .parseArgs(
                        "--leader-elect-lease-duration=30s",
                        "--leader-elect-renew-deadline=" + DEADLINE.toMillis() + "ms",
                        "--leader-elect-retry-period=100ms");
        var losses = new CopyOnWriteArrayList<String>();
        var won = new CountDownLatch(1);
        try (var server = new LeaseServer();
                var client = LeaseClients.of(server.address())) {
            var leadership = new Leadership("starved", "space", options, losses::add);
            leadership.compete(client, won::countDown);
            assertThat(won.await(10, TimeUnit.SECONDS)).isTrue();

            var end = new AtomicBoolean();
            List<Thread> busy = new ArrayList<>();
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                busy.add(Thread.startVirtualThread(() -> {
                    while (!end.get()) {
                        Thread.onSpinWait();
                    }
                }));
            }
            try {
                int before = server.requests().size();
                long begin = System.nanoTime();
                await().until(() -> System.nanoTime() - begin > 2 * DEADLINE.toNanos() || !losses.isEmpty());

                assertThat(losses).isEmpty();
                await().until(leadership::isLeading);
                assertThat(server.requests().size() - before).isGreaterThan(5);
            } finally {
                end.set(true);
                for (var thread : busy) {
                    thread.join();
                }
                leadership.stopping();
                leadership.release();
            }
        }
    }
}
