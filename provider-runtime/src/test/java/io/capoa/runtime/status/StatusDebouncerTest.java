package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusDebouncerTest {

    private static final ResourceID ID = new ResourceID("a", "ns");

    private Instant now = Instant.EPOCH;
    private final InstantSource source = () -> now;
    private final StatusDebouncer<String> gathering = new StatusDebouncer<>(
            new Ticking(source),
            2,
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

    @Test
    void howOftenAnObjectIsWritten_doesNotDependOnHowManyThereAre() {
        assertThat(writesPerObject(1)).isEqualTo(1);
        assertThat(writesPerObject(50)).isEqualTo(1);
        assertThat(writesPerObject(150)).isEqualTo(1);
    }

    /**
     * Objects that share a machine go through eight states: each lasts the longer the more objects there are. The last
     * is one that others wait for.
     */
    private double writesPerObject(int objects) {
        int writes = 0;
        for (char state = 'b'; state < 'j'; state++) {
            String status = state == 'i' ? "!" : "" + state;
            for (int step = 0; step < 4; step++) {
                for (int object = 0; object < objects; object++) {
                    boolean written = gathering
                            .hold(new ResourceID("o" + object, "ns"), "a", status)
                            .isEmpty();
                    writes += written && (state < 'i' || step == 0) ? 1 : 0;
                }
                pass(2 * Math.max(objects, 4));
            }
        }
        return (double) writes / objects;
    }

    @Test
    void heldUpByOthers_isWrittenWhenTheyAreDone() {
        hold(20);
        assertThat(gathering.hold(ID, "a", "b")).contains(Duration.ofMillis(1050));
        pass(200);
        assertThat(gathering.takeDue()).isEmpty();
        IntStream.range(0, 20).forEach(n -> gathering.forget(new ResourceID("o" + n, "ns")));
        assertThat(gathering.takeDue()).containsExactly(ID);
        assertThat(gathering.takeDue()).as("requeued already").isEmpty();
        assertThat(gathering.hold(ID, "a", "b")).isEmpty();
    }

    @Test
    void evenWithVeryMany_progressShows() {
        hold(100_000);
        assertThat(gathering.hold(ID, "a", "b")).isPresent();
        pass(StatusDebouncer.LONGEST.toMillis() - 1);
        assertThat(gathering.hold(ID, "a", "c")).contains(Duration.ofMillis(1));
        pass(1);
        assertThat(gathering.hold(ID, "a", "d")).isEmpty();
    }

    private void hold(int objects) {
        IntStream.range(0, objects)
                .forEach(n -> assertThat(gathering.hold(new ResourceID("o" + n, "ns"), "a", "b"))
                        .isPresent());
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
