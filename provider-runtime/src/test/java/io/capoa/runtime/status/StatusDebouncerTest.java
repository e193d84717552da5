package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class StatusDebouncerTest {

    private static final ResourceID ID = new ResourceID("a", "ns");

    private Instant now = Instant.EPOCH;
    private final InstantSource source = () -> now;
    private final StatusDebouncer<String> gathering = new StatusDebouncer<>(
            new Ticking(source),
            3,
            status -> status.substring(0, 1),
            (before, after) -> after.startsWith("!") ? Duration.ZERO : Duration.ofMillis(100));

    @Test
    void whatStaysTheSame_isWrittenAfterAWhile() {
        assertThat(gathering.hold(ID, "a", "b1")).contains(Duration.ofMillis(100));
        pass(60);
        assertThat(gathering.hold(ID, "a", "b2")).contains(Duration.ofMillis(40));
        pass(40);
        assertThat(gathering.hold(ID, "a", "b3")).isEmpty();
    }

    @Test
    void whatPasses_isNotWritten() {
        assertThat(gathering.hold(ID, "a", "b")).isPresent();
        pass(60);
        assertThat(gathering.hold(ID, "a", "c")).contains(Duration.ofMillis(100));
        pass(60);
        assertThat(gathering.hold(ID, "a", "a")).isEmpty();
        assertThat(gathering.hold(ID, "a", "d"))
                .as("starts over, because nothing was held")
                .contains(Duration.ofMillis(100));
    }

    @Test
    void whatNeverStaysTheSame_isWrittenInTheEnd() {
        assertThat(gathering.hold(ID, "a", "b")).isPresent();
        pass(90);
        assertThat(gathering.hold(ID, "a", "c")).isPresent();
        pass(90);
        assertThat(gathering.hold(ID, "a", "d")).isPresent();
        pass(90);
        assertThat(gathering.hold(ID, "a", "e")).contains(Duration.ofMillis(30));
        pass(30);
        assertThat(gathering.hold(ID, "a", "f")).isEmpty();
    }

    @Test
    void whatCannotWait_doesNot() {
        assertThat(gathering.hold(ID, "a", "!")).isEmpty();
    }

    @Test
    void objectsDoNotHoldEachOther() {
        assertThat(gathering.hold(ID, "a", "b")).isPresent();
        pass(100);
        assertThat(gathering.hold(new ResourceID("b", "ns"), "a", "b")).isPresent();
        gathering.forget(ID);
        assertThat(gathering.hold(ID, "a", "b")).isPresent();
    }

    /** A clock that is set by hand. */
    private static final class Ticking extends Clock {
        private final InstantSource source;

        private Ticking(InstantSource source) {
            this.source = source;
        }

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
            return source.instant();
        }
    }

    private void pass(long millis) {
        now = now.plusMillis(millis);
    }
}
