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
    private final StatusDebouncer<String> debouncer = new StatusDebouncer<>(
            new Ticking(source), 2, 3, status -> status.substring(0, 1), (before, after) -> switch (after.charAt(0)) {
                case '!' -> Patience.NONE;
                case '?' -> Patience.urgent(Duration.ofMillis(1500));
                case '~' -> Patience.LONGEST;
                default -> Patience.of(Duration.ofMillis(100));
            });

    /** The same, where each change is one of the content. */
    private final StatusDebouncer<String> everyChange = new StatusDebouncer<>(
            new Ticking(source),
            2,
            3,
            status -> status,
            (before, after) -> after.startsWith("?") ? Patience.urgent(Duration.ofMillis(1500)) : Patience.LONGEST);

    @Test
    void whatStaysTheSame_isWrittenAfterAWhile() {
        assertThat(debouncer.hold(ID, "a", "b1")).contains(Duration.ofMillis(100));
        pass(60);
        assertThat(debouncer.hold(ID, "a", "b2")).contains(Duration.ofMillis(40));
        pass(40);
        assertThat(debouncer.hold(ID, "a", "b3")).isEmpty();
    }

    @Test
    void whatPasses_isNotWritten() {
        assertThat(debouncer.hold(ID, "a", "b")).isPresent();
        pass(60);
        assertThat(debouncer.hold(ID, "a", "c")).contains(Duration.ofMillis(100));
        pass(60);
        assertThat(debouncer.hold(ID, "a", "a")).isEmpty();
        assertThat(debouncer.hold(ID, "a", "d"))
                .as("starts over, because nothing was held")
                .contains(Duration.ofMillis(100));
    }

    @Test
    void whatNeverStaysTheSame_isWrittenInTheEnd() {
        assertThat(debouncer.hold(ID, "a", "b")).isPresent();
        pass(90);
        assertThat(debouncer.hold(ID, "a", "c")).isPresent();
        pass(90);
        assertThat(debouncer.hold(ID, "a", "d")).isPresent();
        pass(90);
        assertThat(debouncer.hold(ID, "a", "e")).contains(Duration.ofMillis(30));
        pass(30);
        assertThat(debouncer.hold(ID, "a", "f")).isEmpty();
    }

    @Test
    void whatCannotWait_doesNot() {
        assertThat(debouncer.hold(ID, "a", "!")).isEmpty();
    }

    @Test
    void objectsDoNotHoldEachOther() {
        assertThat(debouncer.hold(ID, "a", "b")).isPresent();
        pass(100);
        assertThat(debouncer.hold(new ResourceID("b", "ns"), "a", "b")).isPresent();
        debouncer.forget(ID);
        assertThat(debouncer.hold(ID, "a", "b")).isPresent();
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
                    boolean written = debouncer
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
        assertThat(debouncer.hold(ID, "a", "b")).contains(Duration.ofMillis(1050));
        pass(200);
        assertThat(debouncer.takeDue()).isEmpty();
        IntStream.range(0, 20).forEach(n -> debouncer.forget(new ResourceID("o" + n, "ns")));
        assertThat(debouncer.takeDue()).containsExactly(ID);
        assertThat(debouncer.takeDue()).as("requeued already").isEmpty();
        assertThat(debouncer.hold(ID, "a", "b")).isEmpty();
    }

    @Test
    void evenWithVeryMany_progressShows() {
        hold(100_000);
        assertThat(debouncer.hold(ID, "a", "b")).isPresent();
        pass(StatusDebouncer.LONGEST.toMillis() - 1);
        assertThat(debouncer.hold(ID, "a", "c")).contains(Duration.ofMillis(1));
        pass(1);
        assertThat(debouncer.hold(ID, "a", "d")).isEmpty();
    }

    @Test
    void whatNeedsAPerson_isWrittenInTime_alsoBesideManyOthers() {
        hold(100_000);
        assertThat(debouncer.hold(ID, "a", "?")).contains(Duration.ofMillis(1500));
        pass(1499);
        assertThat(debouncer.takeDue()).doesNotContain(ID);
        pass(1);
        assertThat(debouncer.takeDue()).contains(ID);
        assertThat(debouncer.hold(ID, "a", "?")).isEmpty();
    }

    @Test
    void whatNeedsAPerson_isWrittenInTime_alsoWhileItChanges() {
        assertThat(everyChange.hold(ID, "a", "?1")).contains(Duration.ofMillis(1500));
        pass(1200);
        assertThat(everyChange.hold(ID, "a", "?2")).contains(Duration.ofMillis(800));
        pass(799);
        assertThat(everyChange.hold(ID, "a", "?3")).contains(Duration.ofMillis(1));
        pass(1);
        assertThat(everyChange.hold(ID, "a", "?4")).isEmpty();
    }

    @Test
    void whatNeedsAPersonForAMoment_isNotWritten() {
        assertThat(debouncer.hold(ID, "a", "~")).contains(Duration.ofSeconds(20));
        assertThat(debouncer.hold(ID, "a", "?")).contains(Duration.ofMillis(1500));
        pass(1400);
        assertThat(debouncer.hold(ID, "a", "~")).contains(Duration.ofMillis(18_600));
        pass(5000);
        assertThat(debouncer.hold(ID, "a", "?")).as("starts over").contains(Duration.ofMillis(1500));
    }

    @Test
    void progress_isWrittenTheLongestPatienceAfterItsFirstChange_howeverOftenItChanges() {
        assertThat(everyChange.hold(ID, "a", "~0")).contains(Duration.ofSeconds(20));
        for (int second = 1; second < 20; second++) {
            pass(1000);
            assertThat(everyChange.takeDue()).isEmpty();
            assertThat(everyChange.hold(ID, "a", "~" + second)).contains(Duration.ofSeconds(20 - second));
        }
        pass(1000);
        assertThat(everyChange.takeDue()).containsExactly(ID);
        assertThat(everyChange.hold(ID, "a", "~20")).isEmpty();
    }

    @Test
    void whatFollowsALongPatience_isHeldForItsOwn_butNotBeyondTheFirst() {
        assertThat(debouncer.hold(ID, "a", "~")).contains(Duration.ofSeconds(20));
        pass(15_000);
        assertThat(debouncer.hold(ID, "a", "b")).as("not at once").contains(Duration.ofMillis(100));
        pass(99);
        assertThat(debouncer.takeDue()).isEmpty();
        assertThat(debouncer.hold(ID, "a", "?")).contains(Duration.ofMillis(1500));
        pass(1000);
        assertThat(debouncer.hold(ID, "a", "~"))
                .as("the rest of the first delay")
                .contains(Duration.ofMillis(20_000 - 15_000 - 99 - 1000));
        pass(3850);
        assertThat(debouncer.hold(ID, "a", "b")).contains(Duration.ofMillis(51));
        pass(51);
        assertThat(debouncer.takeDue()).containsExactly(ID);
        assertThat(debouncer.hold(ID, "a", "c")).isEmpty();
    }

    @Test
    void whatHasTheLongestPatience_doesNotDelayOthers() {
        IntStream.range(0, 20)
                .forEach(n -> assertThat(debouncer.hold(new ResourceID("o" + n, "ns"), "a", "~"))
                        .contains(Duration.ofSeconds(20)));

        assertThat(debouncer.hold(ID, "a", "b")).contains(Duration.ofMillis(100));
    }

    @Test
    void aStatusThatIsHeld_isRequeuedOnce_howeverOftenItIsLookedAfter() {
        assertThat(debouncer.hold(ID, "a", "~")).isPresent();
        for (int second = 0; second < 19; second++) {
            pass(1000);
            assertThat(debouncer.takeDue()).isEmpty();
        }
        pass(1000);
        assertThat(debouncer.takeDue()).containsExactly(ID);
        assertThat(debouncer.takeDue()).isEmpty();
        assertThat(debouncer.untilNext()).isEmpty();
    }

    private void hold(int objects) {
        IntStream.range(0, objects)
                .forEach(n -> assertThat(debouncer.hold(new ResourceID("o" + n, "ns"), "a", "b"))
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
