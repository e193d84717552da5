package io.capoa.runtime.manager;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.Controller;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The order in which waiting reconciles run. One of a later stage overtakes those that were submitted up to
 * {@link #HEAD_START} a stage before it, and no others, so that none waits forever. JOSDK tells its metrics which object
 * it submits, immediately before it hands the reconcile to the executor on the same thread.
 */
final class ReconcileOrder implements Metrics {

    /** What a stage is worth. */
    static final Duration HEAD_START = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    private final AtomicLong submitted = new AtomicLong();
    private final Map<Class<?>, Staged<HasMetadata>> staged = new ConcurrentHashMap<>();
    private final ThreadLocal<@Nullable Integer> next = new ThreadLocal<>();

    ReconcileOrder(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void controllerRegistered(Controller<? extends HasMetadata> controller) {
        if (NamedReconciler.unwrap(controller.getReconciler()) instanceof Staged<?> stages) {
            add(controller.getConfiguration().getResourceClass(), (Staged<HasMetadata>) stages);
        }
    }

    /** Objects of this class have stages. */
    void add(Class<?> kind, Staged<HasMetadata> stages) {
        staged.put(kind, stages);
    }

    @Override
    public void reconciliationSubmitted(HasMetadata resource, @Nullable RetryInfo retry, Map<String, Object> metadata) {
        Staged<HasMetadata> stages = staged.get(resource.getClass());
        if (stages != null) {
            next.set(Math.clamp(stages.stage(resource), 0, Staged.LAST));
        }
    }

    /** Gives the reconcile that this thread submits its place. */
    Turn place(Runnable reconcile) {
        Integer stage = next.get();
        next.remove();
        long headStart = stage == null ? 0 : HEAD_START.multipliedBy(stage).toNanos();
        return new Turn(reconcile, nanoTime.getAsLong() - headStart, submitted.getAndIncrement());
    }

    /**
     * A reconcile that waits.
     *
     * @param from when it would have been submitted to have this place without stages, in nanoseconds
     * @param number decides between equal times
     */
    record Turn(Runnable reconcile, long from, long number) implements Runnable, Comparable<Turn> {

        @Override
        public void run() {
            reconcile.run();
        }

        @Override
        public int compareTo(Turn other) {
            int earlier = Long.signum(from - other.from);
            return earlier == 0 ? Long.compare(number, other.number) : earlier;
        }
    }
}
