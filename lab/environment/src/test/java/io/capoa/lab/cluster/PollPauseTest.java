package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PollPauseTest {

    @Test
    void pausesDouble_upToAQuarterOfASecond() {
        assertThat(Stream.iterate(PollPause.FIRST, PollPause::after).limit(6).map(Duration::toMillis))
                .containsExactly(25L, 50L, 100L, 200L, 250L, 250L);
    }
}
