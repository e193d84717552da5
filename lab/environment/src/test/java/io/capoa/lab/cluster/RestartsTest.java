package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestartsTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void whatEndsAgainAndAgain_isStartedAfterGrowingPauses_andThenNoMore() {
        var restarts = new Restarts();
        List<Optional<Duration>> pauses = new ArrayList<>();
        for (int end = 0; end <= 10; end++) {
            pauses.add(restarts.afterEnd(BEGIN.plusSeconds(end)));
        }

        assertThat(pauses.subList(0, 4))
                .containsExactly(
                        Optional.of(Duration.ZERO),
                        Optional.of(Duration.ofMillis(200)),
                        Optional.of(Duration.ofMillis(400)),
                        Optional.of(Duration.ofMillis(800)));
        assertThat(pauses.get(9)).contains(Duration.ofSeconds(5));
        assertThat(pauses.get(10)).isEmpty();
    }

    @Test
    void whatRanForAMinute_isStartedAtOnce() {
        var restarts = new Restarts();
        assertThat(restarts.afterEnd(BEGIN)).isPresent();
        assertThat(restarts.afterEnd(BEGIN.plusSeconds(1))).isPresent();

        assertThat(restarts.afterEnd(BEGIN.plusSeconds(62))).contains(Duration.ZERO);
    }
}
