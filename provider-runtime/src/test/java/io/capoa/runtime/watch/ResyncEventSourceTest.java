package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ResyncEventSourceTest {

    private static final Duration PERIOD = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<ResourceID> primaries = new CopyOnWriteArrayList<>(List.of(new ResourceID("a", "ns")));
    private final List<ResourceID> reconciled = new CopyOnWriteArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    @Test
    void allThatExist_areReconciledAgainAndAgain_untilTheStop() {
        ResyncEventSource<ConfigMap> resync = new ResyncEventSource<>(PERIOD, this::primaries);
        resync.setEventHandler(event -> reconciled.add(event.getRelatedCustomResourceID()));
        resync.start();
        await().until(() -> reconciled.size() >= 2);
        primaries.add(new ResourceID("b", "ns"));
        await().until(() -> Set.copyOf(reconciled).equals(Set.copyOf(primaries)));

        resync.stop();
        assertThat(threads)
                .as("the only thread that reconciles has ended")
                .singleElement()
                .satisfies(thread -> assertThat(thread.join(PATIENCE)).isTrue());
    }

    private Stream<ResourceID> primaries() {
        threads.add(Thread.currentThread());
        return primaries.stream();
    }
}
