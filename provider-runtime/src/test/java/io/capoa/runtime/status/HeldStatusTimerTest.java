package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Many objects whose statuses are held back together; a requeued object is reconciled at once. */
class HeldStatusTimerTest {

    private static final int OBJECTS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private record Task(Instant at, Runnable run) {}

    private Instant now = Instant.EPOCH;
    private final InstantSource source = () -> now;
    private final Clock clock = source.withZone(ZoneOffset.UTC);
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparing(Task::at));
    private final StatusDebouncer<String> debouncer =
            new StatusDebouncer<>(clock, 6, 5, status -> status, (before, after) -> Patience.of(PATIENCE));
    private final HeldStatusTimer timer = new HeldStatusTimer(
            debouncer, this::requeued, clock, (delay, task) -> tasks.add(new Task(now.plus(delay), task)));

    private final Map<String, Integer> requeues = new TreeMap<>();
    private final List<Instant> written = new ArrayList<>();

    @Test
    void oneRequeueWritesAStatus_howeverManyAreHeld() {
        for (int n = 0; n < OBJECTS; n++) {
            reconcile(id(n));
            pass(Duration.ofMillis(50));
        }
        pass(StatusDebouncer.LONGEST);

        assertThat(requeues.values()).hasSize(OBJECTS).containsOnly(1);
        assertThat(written).hasSize(OBJECTS);
        assertThat(tasks).as("nothing is held any more").isEmpty();
    }

    @Test
    void theLastOfMany_isRequeuedWhenTheOthersAreGone() {
        for (int n = 0; n < OBJECTS; n++) {
            reconcile(id(n));
        }
        pass(Duration.ofSeconds(2));
        for (int n = 1; n < OBJECTS; n++) {
            debouncer.forget(id(n));
            timer.changed(Optional.empty());
        }
        pass(HeldStatusTimer.TOGETHER);

        assertThat(written).hasSize(1);
    }

    @Test
    void aStatusThatIsDueLater_isNotLostAfterARequeueThatCameTooEarly() {
        reconcile(id(0));
        now = now.plus(PATIENCE);
        debouncer.takeDue();
        for (int n = 1; n < OBJECTS; n++) {
            reconcile(id(n));
        }
        reconcile(id(0));
        assertThat(written).as("many more are held by now").isEmpty();

        pass(StatusDebouncer.LONGEST);

        assertThat(written).hasSize(OBJECTS);
    }

    private void requeued(ResourceID object) {
        requeues.merge(object.getName(), 1, Integer::sum);
        reconcile(object);
    }

    private void reconcile(ResourceID object) {
        var held = debouncer.hold(object, "before", "after");
        timer.changed(held);
        if (held.isEmpty()) {
            written.add(now);
        }
    }

    private static ResourceID id(int n) {
        return new ResourceID("o" + n, "ns");
    }

    private void pass(Duration time) {
        Instant end = now.plus(time);
        while (!tasks.isEmpty() && !tasks.peek().at().isAfter(end)) {
            Task task = tasks.remove();
            now = task.at();
            task.run().run();
        }
        now = end;
    }
}
