package io.capoa.lab.hostile;

import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Another tenant, who changes a control plane and pauses a config in turn, and takes the time until the managers have
 * written what follows from it; and meanwhile that of writes in which no manager takes part.
 */
final class Bystander {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration BETWEEN = Duration.ofMillis(200);
    private static final Duration POLL = Duration.ofMillis(20);

    /** Of changes during an attack, however short it is: one that was slow by chance is not the median of them. */
    private static final int LEAST = 6;

    private static final String OTHER = "of-no-manager";

    private final Tenant tenant;

    /**
     * Times of answers to changes.
     *
     * @param all in ascending order
     * @param write longest write beside them that no manager takes part in: how slow the machine and the API server were
     */
    record Answers(List<Duration> all, Duration write) {

        Answers {
            all = all.stream().sorted().toList();
        }

        Duration median() {
            return all.get(all.size() / 2);
        }

        Duration longest() {
            return all.getLast();
        }

        @Override
        public String toString() {
            return "%d changes, half answered within %d ms, nine of ten within %d ms, all within %d ms; a write within %d ms"
                    .formatted(
                            all.size(),
                            median().toMillis(),
                            all.get(all.size() * 9 / 10).toMillis(),
                            longest().toMillis(),
                            write.toMillis());
        }
    }

    private Bystander(Tenant tenant) {
        this.tenant = tenant;
    }

    /** With objects that both managers have reported on. */
    static Bystander create(KubernetesClient admin, String namespace) {
        Tenant tenant = Tenant.create(admin, namespace);
        tenant.controlPlane("innocent", "", "");
        tenant.create("""
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata: {name: innocent}
                spec: {}
                """);
        tenant.create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}".formatted(OTHER));
        Bystander bystander = new Bystander(tenant);
        await().atMost(PATIENCE)
                .until(() ->
                        bystander.paused().isPresent() && bystander.machine().isPresent());
        return bystander;
    }

    Tenant tenant() {
        return tenant;
    }

    /** Measures until the attack is over. */
    Answers during(Callable<?> attack) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (var measuring = Executors.newFixedThreadPool(2)) {
            Future<List<Duration>> answers =
                    measuring.submit(() -> until(over, this::changeControlPlane, this::changeConfig));
            Future<List<Duration>> writes = measuring.submit(() -> until(over, this::write));
            try {
                attack.call();
            } finally {
                over.set(true);
            }
            return new Answers(answers.get(), Collections.max(writes.get()));
        }
    }

    @SafeVarargs
    private static List<Duration> until(AtomicBoolean over, Supplier<Duration>... changes) {
        List<Duration> taken = new ArrayList<>();
        do {
            for (Supplier<Duration> change : changes) {
                taken.add(change.get());
            }
            sleep(BETWEEN);
        } while (!over.get() || taken.size() < LEAST);
        return taken;
    }

    private Duration write() {
        long begin = System.nanoTime();
        tenant.merge(ConfigMap.class, OTHER, "{\"data\":{\"time\":\"%d\"}}".formatted(begin));
        return since(begin);
    }

    /** The provider copies the field to the Machine. */
    private Duration changeControlPlane() {
        long begin = System.nanoTime();
        int timeout = (int) (begin & 0xffff);
        tenant.merge(
                OpenshiftAssistedControlPlane.class,
                "innocent",
                "{\"spec\":{\"machineTemplate\":{\"spec\":{\"deletion\":{\"nodeDrainTimeoutSeconds\":%d}}}}}"
                        .formatted(timeout));
        return answer(
                begin,
                () -> Objects.equals(
                        timeout, Fields.any(machine().orElseThrow(), "spec", "deletion", "nodeDrainTimeoutSeconds")));
    }

    /** The spec of a config cannot be changed; its status is written when it has been stable for a second. */
    private Duration changeConfig() {
        boolean paused = !isPaused();
        long begin = System.nanoTime();
        tenant.merge(
                OpenshiftAssistedConfig.class,
                "innocent",
                "{\"metadata\":{\"annotations\":{\"%s\":%s}}}".formatted(Annotations.PAUSED, paused ? "\"\"" : "null"));
        return answer(begin, () -> isPaused() == paused);
    }

    /** A change that is not answered in time has taken all of it. */
    private static Duration answer(long begin, BooleanSupplier answered) {
        while (!answered.getAsBoolean() && since(begin).compareTo(PATIENCE) < 0) {
            sleep(POLL);
        }
        return since(begin);
    }

    private Optional<Machine> machine() {
        return tenant.list(Machine.class).stream().findFirst();
    }

    private boolean isPaused() {
        return paused().orElseThrow().equals(Condition.TRUE);
    }

    /** As the bootstrap provider has reported it last. */
    private Optional<String> paused() {
        var status = tenant.resource(OpenshiftAssistedConfig.class, "innocent")
                .require()
                .getStatus();
        return status == null || status.conditions() == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> condition.type().equals("Paused"))
                        .map(Condition::status)
                        .findFirst();
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
