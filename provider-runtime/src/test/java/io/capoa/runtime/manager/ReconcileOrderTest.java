package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The order of reconciles that wait because the only place is taken. */
class ReconcileOrderTest {

    private static final Duration HEAD_START = ReconcileOrder.HEAD_START;

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch waiting = new CountDownLatch(1);
    private long now;
    private final ReconcileOrder order = new ReconcileOrder(() -> now);
    private final ReconcilePool pool = new ReconcilePool(1, order);

    ReconcileOrderTest() {
        order.add(
                ConfigMap.class,
                object -> Integer.parseInt(((ConfigMap) object).getData().get("stage")));
        pool.execute(() -> {
            try {
                boolean unused = waiting.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void whatIsFurtherOn_comesFirst_amongEqualsTheOldest() throws InterruptedException {
        submit("a", 0);
        submit("b", 1);
        submit("c", 2);
        submit("d", 1);
        submit("e", 0);
        submit("f", 2);

        assertThat(order()).containsExactly("c", "f", "b", "d", "a", "e");
    }

    @Test
    void whatWaitsLong_isNotOvertaken() throws InterruptedException {
        submit("new", 0);
        now += HEAD_START.multipliedBy(2).toNanos() - 1;
        submit("overtakes", 2);
        now += 2;
        submit("too late", 2);
        submit("far too late", 1);

        assertThat(order()).containsExactly("overtakes", "new", "too late", "far too late");
    }

    @Test
    void objectsWithoutStages_comeInTurn() throws InterruptedException {
        submit(new SecretBuilder().withNewMetadata().withName("a").endMetadata().build());
        submit("b", 0);
        pool.execute(() -> done.add("no object"));
        submit(new SecretBuilder().withNewMetadata().withName("c").endMetadata().build());
        submit("d", -1);

        assertThat(order()).containsExactly("a", "b", "no object", "c", "d");
    }

    private void submit(String name, int stage) {
        submit(new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToData("stage", "" + stage)
                .build());
    }

    /** As JOSDK does. */
    private void submit(HasMetadata object) {
        order.reconciliationSubmitted(object, null, Map.of());
        pool.execute(() -> done.add(object.getMetadata().getName()));
    }

    private List<String> order() throws InterruptedException {
        waiting.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        return done;
    }
}
