package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Primaries a and b read the keys of their name; c is not in the cache. */
class ReadFilterTest {

    private final List<Runnable> scheduled = new ArrayList<>();
    private final List<Duration> delays = new ArrayList<>();
    private final EventDebouncer debouncer = new EventDebouncer((delay, task) -> {
        delays.add(delay);
        scheduled.add(task);
    });
    private final List<String> woken = new ArrayList<>();

    @Test
    void anUpdate_wakesThePrimariesThatReadWhatItChanges_andThoseThatAreNotKnown() {
        update(filter(false), Map.of("a", "1", "b", "1"), Map.of("a", "2", "b", "1", "other", "2"));

        assertThat(woken).containsExactly("a", "c");
        assertThat(scheduled).isEmpty();
    }

    @Test
    void aKeyThatComesOrGoes_isAChange() {
        ReadFilter<String, GenericKubernetesResource> filter = filter(false);

        update(filter, Map.of(), Map.of("a", "1"));
        update(filter, Map.of("b", "1"), Map.of());

        assertThat(woken).containsExactly("a", "c", "b", "c");
    }

    @Test
    void eventsThatBelongToNoUpdate_wakeAll() {
        ReadFilter<String, GenericKubernetesResource> filter = filter(true);
        filter.during(object(Map.of()), object(Map.of()), () -> {});

        events(filter);

        assertThat(woken).containsExactly("a", "b", "c");
    }

    @Test
    void aStatus_wakesLater_thoseThatReadIt_once() {
        ReadFilter<String, GenericKubernetesResource> filter = filter(true);

        update(filter, Map.of("status", "1", "a", "1"), Map.of("status", "2", "a", "1"));
        update(filter, Map.of("status", "2", "a", "1"), Map.of("status", "3", "a", "1"));
        assertThat(woken).isEmpty();
        scheduled.forEach(Runnable::run);

        assertThat(woken).containsExactly("a", "b", "c");
    }

    @Test
    void whatIsMoreThanAStatus_wakesAtOnce_andWhatWaitedIsDone() {
        ReadFilter<String, GenericKubernetesResource> filter = filter(true);

        update(filter, Map.of("status", "1"), Map.of("status", "2"));
        update(filter, Map.of("status", "2", "a", "1"), Map.of("status", "3", "a", "2"));
        assertThat(woken).containsExactly("a", "b", "c");
        scheduled.forEach(Runnable::run);

        assertThat(woken).containsExactly("a", "b", "c");
    }

    @Test
    void aStatusThatIsActedOn_wakesAtOnce() {
        update(filter(true), Map.of("status", "1"), Map.of("status", "urgent"));

        assertThat(woken).containsExactly("a", "b", "c");
    }

    @Test
    void progress_waitsLonger_untilSomethingElseIsTold() {
        ReadFilter<String, GenericKubernetesResource> filter = filter(true);

        update(filter, Map.of("status", "1 %"), Map.of("status", "2 %"));
        update(filter, Map.of("status", "2 %"), Map.of("status", "3 %"));
        assertThat(delays).hasSize(3).containsOnly(EventDebouncer.PROGRESS);
        update(filter, Map.of("status", "3 %"), Map.of("status", "done"));

        assertThat(delays).hasSize(6).endsWith(EventDebouncer.WINDOW, EventDebouncer.WINDOW, EventDebouncer.WINDOW);
        scheduled.reversed().forEach(Runnable::run);
        assertThat(woken).containsExactly("c", "b", "a");
    }

    /** @param waits whether primaries read the status as well, which waits unless it is urgent */
    private ReadFilter<String, GenericKubernetesResource> filter(boolean waits) {
        return new ReadFilter<>(
                id -> Optional.of(id.getName()).filter(name -> !name.equals("c")),
                (primary, read) -> waits ? read.getAdditionalProperties() : read.get(primary),
                waits ? read -> "urgent".equals(read.get("status")) : null,
                read -> String.valueOf(read.<Object>get("status")).endsWith("%"),
                debouncer);
    }

    private void update(
            ReadFilter<String, GenericKubernetesResource> filter,
            Map<String, Object> before,
            Map<String, Object> after) {
        filter.during(object(before), object(after), () -> events(filter));
    }

    private void events(ReadFilter<String, GenericKubernetesResource> filter) {
        EventHandler handler = filter.before(
                event -> woken.add(event.getRelatedCustomResourceID().getName()));
        for (String primary : List.of("a", "b", "c")) {
            handler.handleEvent(new Event(new ResourceID(primary, "ns")));
        }
    }

    private static GenericKubernetesResource object(Map<String, Object> content) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setMetadata(new ObjectMeta());
        content.forEach(object::setAdditionalProperty);
        return object;
    }
}
