package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** When the start names its step. */
class StartStepsTest {

    private static final class SetClock extends Clock {

        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }

        void advance(int seconds) {
            now = now.plus(Duration.ofSeconds(seconds));
        }
    }

    private final SetClock clock = new SetClock();

    @Test
    void aQuickStep_isNotNamed_aLongOneIs_lessAndLessOften() {
        try (StartSteps steps = new StartSteps(clock)) {
            steps.begin("starting the node");
            clock.advance(3);
            assertThat(steps.due()).isEmpty();

            steps.begin("waiting until bootstrap-provider is available");
            clock.advance(3);
            assertThat(steps.due()).isEmpty();
            clock.advance(2);
            assertThat(steps.due()).contains("  waiting until bootstrap-provider is available: 5 s so far …");
            assertThat(steps.due()).isEmpty();
            clock.advance(5);
            assertThat(steps.due()).contains("  waiting until bootstrap-provider is available: 10 s so far …");
            clock.advance(5);
            assertThat(steps.due()).isEmpty();
        }
    }

    @Test
    void beforeTheFirstStep_nothingIsSaid() {
        try (StartSteps steps = new StartSteps(clock)) {
            clock.advance(60);

            assertThat(steps.due()).isEmpty();
        }
    }
}
