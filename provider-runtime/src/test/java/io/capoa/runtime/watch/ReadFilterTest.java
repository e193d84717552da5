package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Primaries a and b read the keys of their name; c is not in the cache. */
class ReadFilterTest {

    private final ReadFilter<String, Map<String, String>> filter = new ReadFilter<>(
            id -> Optional.of(id.getName()).filter(name -> !name.equals("c")), (primary, read) -> read.get(primary));
    private final List<String> woken = new ArrayList<>();
    private final EventHandler handler =
            filter.before(event -> woken.add(event.getRelatedCustomResourceID().getName()));

    @Test
    void anUpdate_wakesThePrimariesThatReadWhatItChanges_andThoseThatAreNotKnown() {
        filter.during(Map.of("a", "1", "b", "1"), Map.of("a", "2", "b", "1", "other", "2"), this::events);

        assertThat(woken).containsExactly("a", "c");
    }

    @Test
    void aKeyThatComesOrGoes_isAChange() {
        filter.during(Map.of(), Map.of("a", "1"), this::events);
        filter.during(Map.of("b", "1"), Map.of(), this::events);

        assertThat(woken).containsExactly("a", "c", "b", "c");
    }

    @Test
    void eventsThatBelongToNoUpdate_wakeAll() {
        filter.during(Map.of(), Map.of(), () -> {});

        events();

        assertThat(woken).containsExactly("a", "b", "c");
    }

    private void events() {
        for (String primary : List.of("a", "b", "c")) {
            handler.handleEvent(new Event(new ResourceID(primary, "ns")));
        }
    }
}
