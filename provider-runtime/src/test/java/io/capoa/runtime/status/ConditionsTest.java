package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
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
    void aMessageKeepsItsLines_andNoOtherControlCharacters() {
        assertThat(Conditions.after(BEFORE, 1L, NOON)
                        .isFalse("Available", "Installing", "one\ntwo\u001b[2J\u0000 \ud83d\ude00")
                        .toList())
                .extracting(Condition::message)
                .containsExactly("one\ntwo [2J  \ud83d\ude00");
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

    /** The API server refuses more than 32,768 bytes, and 32 conditions of that length are a megabyte. */
    @Test
    void aLongMessage_isCut_betweenTwoCharacters() {
        String message = "x".repeat(4_095) + "\ud83d\ude00".repeat(200_000);

        String cut = Conditions.after(null, 1L, NOON)
                .isFalse("Available", "NodeNotReady", message)
                .toList()
                .getFirst()
                .message();

        assertThat(cut).isEqualTo("x".repeat(4_095) + "\ud83d\ude00…");
    }

    @Test
    void whatAConversionHasLost_isReported_asLongAsTheObjectSaysSo() {
        OpenshiftAssistedConfig config = new OpenshiftAssistedConfig();
        config.getMetadata().setAnnotations(Map.of(Annotations.CONVERSION_LOSS, "FieldsTooLarge: set them again"));
        List<Condition> lost = Conditions.of(config, BEFORE, NOON).toList();
        assertThat(lost)
                .containsExactly(new Condition(
                        "ConversionIncomplete",
                        "True",
                        "FieldsTooLarge",
                        "set them again",
                        "2026-01-01T12:00:00Z",
                        null));

        config.getMetadata().setAnnotations(Map.of());
        assertThat(Conditions.of(config, lost, NOON)
                        .keep("ConversionIncomplete")
                        .toList())
                .isEmpty();
    }

    @Test
    void whatUsersWriteAboutAConversion_isShortenedAndHasAReason() {
        OpenshiftAssistedConfig config = new OpenshiftAssistedConfig();
        config.getMetadata().setAnnotations(Map.of(Annotations.CONVERSION_LOSS, "not: a reason".repeat(10_000)));
        assertThat(Conditions.of(config, BEFORE, NOON).toList()).singleElement().satisfies(condition -> {
            assertThat(condition.reason()).isEqualTo("FieldsIgnored");
            assertThat(condition.message()).hasSize(1024);
        });
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
