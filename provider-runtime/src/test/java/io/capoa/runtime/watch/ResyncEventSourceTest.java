package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ResyncEventSourceTest {

    private static final Duration PERIOD = Duration.ofMillis(50);

    private final List<ResourceID> primaries = new CopyOnWriteArrayList<>(List.of(new ResourceID("a", "ns")));
    private final List<ResourceID> reconciled = new CopyOnWriteArrayList<>();

    @Test
    void allThatExist_areReconciledAgainAndAgain_untilTheStop() throws InterruptedException {
        ResyncEventSource<ConfigMap> resync = new ResyncEventSource<>(PERIOD, primaries::stream);
        resync.setEventHandler(event -> reconciled.add(event.getRelatedCustomResourceID()));
        resync.start();
        await().until(() -> reconciled.size() >= 2);
        primaries.add(new ResourceID("b", "ns"));
        await().until(() -> Set.copyOf(reconciled).equals(Set.copyOf(primaries)));

        resync.stop();
        Thread.sleep(PERIOD);
        int before = reconciled.size();
        Thread.sleep(PERIOD.multipliedBy(3));
        assertThat(reconciled).hasSize(before);
    }
}
