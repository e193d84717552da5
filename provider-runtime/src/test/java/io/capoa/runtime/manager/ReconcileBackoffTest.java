package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReconcileBackoffTest {

    @Test
    void retries_neverEndAndGrowToTheBound() {
        var retry = new ReconcileBackoff(Duration.ofMillis(5), Duration.ofSeconds(1), () -> 0).initExecution();

        var delays = java.util.stream.Stream.generate(() -> retry.nextDelay().orElseThrow())
                .limit(10)
                .toList();

        assertThat(delays).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L);
        assertThat(retry.isLastAttempt()).isFalse();
        assertThat(retry.getAttemptCount()).isEqualTo(10);
    }

    @Test
    void jitter_shortensAWaitByAFifthAtMost() {
        var retry = new ReconcileBackoff(Duration.ofSeconds(1), Duration.ofSeconds(9), () -> 1).initExecution();

        assertThat(retry.nextDelay()).contains(800L);
    }
}
