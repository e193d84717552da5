package io.capoa.runtime.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValidationGraceTest {

    private static final ResourceID CONFIG = new ResourceID("c", "ns");
    private static final FailedValidation CLOCKS = new FailedValidation("ntp-synced", "no NTP");
    private static final FailedValidation MEMORY = new FailedValidation("has-memory-for-role", "8 GiB");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource source = () -> now;
    private final ValidationGrace grace = new ValidationGrace(source.withZone(ZoneOffset.UTC));

    @Test
    void whatFailsForAMoment_isNoFailure_untilItHasLasted() {
        assertThat(judge("u", CLOCKS)).satisfies(verdict -> {
            assertThat(verdict.lasting()).isEmpty();
            assertThat(verdict.settling()).containsExactly(CLOCKS);
            assertThat(verdict.left()).isEqualTo(ValidationGrace.LENGTH);
        });
        now = now.plus(ValidationGrace.LENGTH).minusSeconds(1);
        assertThat(judge("u", CLOCKS).left()).isEqualTo(Duration.ofSeconds(1));
        now = now.plusSeconds(1);
        assertThat(judge("u", CLOCKS).lasting()).containsExactly(CLOCKS);
    }

    @Test
    void eachCheckHasItsOwnTime() {
        judge("u", CLOCKS);
        now = now.plus(ValidationGrace.LENGTH);
        FailedValidation connectivity = new FailedValidation("belongs-to-majority-group", "alone");

        ValidationGrace.Verdict verdict = judge("u", CLOCKS, connectivity);

        assertThat(verdict.lasting()).containsExactly(CLOCKS);
        assertThat(verdict.settling()).containsExactly(connectivity);
    }

    @Test
    void whatNoTimeHelps_isAFailureAtOnce() {
        assertThat(judge("u", MEMORY).lasting()).containsExactly(MEMORY);
    }

    @Test
    void aCheckThatPassedInBetween_andAnotherObject_beginAgain() {
        judge("u", CLOCKS);
        now = now.plus(ValidationGrace.LENGTH);
        judge("u");
        assertThat(judge("u", CLOCKS).lasting()).isEmpty();

        now = now.plus(ValidationGrace.LENGTH);
        assertThat(judge("another", CLOCKS).lasting()).isEmpty();
    }

    @Test
    void afterARestart_whatWasReportedStaysReported() {
        assertThat(new ValidationGrace(Clock.systemUTC())
                        .judge(CONFIG, agent("u"), List.of(CLOCKS), true, check -> true)
                        .lasting())
                .containsExactly(CLOCKS);
    }

    @Test
    void failuresAreRead_groupByGroup() {
        assertThat(FailedValidation.of(Serialization.unmarshal("""
                        status:
                          validationsInfo:
                            network: [{id: ntp-synced, status: failure, message: no NTP}, {id: connected, status: success}]
                            hardware: [{id: has-memory-for-role, status: failure, message: 8 GiB}, {id: x, status: pending}, text]
                            odd: text
                        """, Agent.class)))
                .containsExactly(MEMORY, CLOCKS);
    }

    private ValidationGrace.Verdict judge(String uid, FailedValidation... failing) {
        return grace.judge(CONFIG, agent(uid), List.of(failing), false, check -> !check.equals(MEMORY));
    }

    private static Agent agent(String uid) {
        return Serialization.unmarshal("metadata: {name: a, uid: " + uid + "}", Agent.class);
    }
}
