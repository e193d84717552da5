package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    private static final Clock NOON = Clock.fixed(Instant.parse("2026-01-01T12:00:00.5Z"), ZoneOffset.UTC);
    private static final String MORNING = "2026-01-01T08:00:00Z";
    private static final List<Condition> BEFORE = List.of(
            new Condition("Available", "False", "Installing", "", MORNING, 1L),
            new Condition("Paused", "False", "NotPaused", "", MORNING, 1L));

    @Test
    void aNewMessageWithTheSameStatus_keepsTheTransitionTime() {
        assertThat(Conditions.after(BEFORE, 2L, NOON)
                        .isFalse("Available", "Installing", "almost")
                        .toList())
                .containsExactly(new Condition("Available", "False", "Installing", "almost", MORNING, 2L));
    }

    @Test
    void aNewStatus_setsTheTransitionTimeInWholeSeconds() {
        assertThat(Conditions.after(BEFORE, 1L, NOON)
                        .isTrue("Available", "Available", "")
                        .toList())
                .extracting(Condition::lastTransitionTime)
                .containsExactly("2026-01-01T12:00:00Z");
    }

    @Test
    void whatIsNotSetAgain_isGone_unlessKept() {
        assertThat(Conditions.after(BEFORE, 1L, NOON).toList()).isEmpty();
        assertThat(Conditions.after(BEFORE, 1L, NOON)
                        .keep("Paused")
                        .keep("Absent")
                        .toList())
                .containsExactly(BEFORE.get(1));
    }

    @Test
    void conditionsStandInOrderOfTheirType() {
        assertThat(Conditions.after(null, null, NOON)
                        .isTrue("Ready", "A", "")
                        .isTrue("Available", "A", "")
                        .toList())
                .extracting(Condition::type)
                .containsExactly("Available", "Ready");
    }
}
