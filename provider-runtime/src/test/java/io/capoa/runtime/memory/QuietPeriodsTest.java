package io.capoa.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuietPeriodsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final QuietPeriods periods = new QuietPeriods();
    private long cpuMillis;

    private boolean begins(int millisOfCpu) {
        cpuMillis += millisOfCpu;
        return periods.begins(cpuMillis * 1_000_000, MINUTE);
    }

    @Test
    void theStart_isABusyTime() {
        assertThat(begins(1_500)).as("no time before it").isFalse();
        assertThat(begins(100)).isTrue();
    }

    @Test
    void eachBusyTime_isFollowedByOneQuietTime() {
        begins(0);
        assertThat(begins(20_000)).isFalse();
        assertThat(begins(6_100)).isFalse();
        assertThat(begins(5_900)).isTrue();
        assertThat(begins(100)).isFalse();
        assertThat(begins(0)).isFalse();
        assertThat(begins(7_000)).isFalse();
        assertThat(begins(100)).isTrue();
    }
}
