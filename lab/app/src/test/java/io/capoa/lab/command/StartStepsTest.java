package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.steady.SetClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When the start names its step. */
class StartStepsTest {

    private final SetClock clock = new SetClock();

    @Test
    void aQuickStep_isNotNamed_aLongOneIs_lessAndLessOften() {
        try (StartSteps steps = new StartSteps(clock)) {
            steps.begin("starting the node");
            clock.advance(Duration.ofSeconds(3));
            assertThat(steps.due()).isEmpty();

            steps.begin("waiting until bootstrap-provider is available");
            clock.advance(Duration.ofSeconds(3));
            assertThat(steps.due()).isEmpty();
            clock.advance(Duration.ofSeconds(2));
            assertThat(steps.due()).contains("  waiting until bootstrap-provider is available: 5 s so far …");
            assertThat(steps.due()).isEmpty();
            clock.advance(Duration.ofSeconds(5));
            assertThat(steps.due()).contains("  waiting until bootstrap-provider is available: 10 s so far …");
            clock.advance(Duration.ofSeconds(5));
            assertThat(steps.due()).isEmpty();
        }
    }

    @Test
    void beforeTheFirstStep_nothingIsSaid() {
        try (StartSteps steps = new StartSteps(clock)) {
            clock.advance(Duration.ofSeconds(60));

            assertThat(steps.due()).isEmpty();
        }
    }
}
