package io.capoa.runtime.manager;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Series of reconciles and their queues, under the names of controller-runtime and client-go's workqueue. */
final class ControllerMetrics implements Metrics {

    /** Upper bounds of the histograms. */
    private static final Duration[] BOUNDS = LongStream.of(
                    5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final int atOnce;
    private final Map<String, Series> series = new ConcurrentHashMap<>();

    private final ConditionGauges conditions;

    /** @param atOnce most reconciles at once, of all controllers together */
    ControllerMetrics(MeterRegistry registry, int atOnce, ConditionGauges conditions) {
        this.registry = registry;
        this.atOnce = atOnce;
        this.conditions = conditions;
    }

    /** Those of one controller. */
    private final class Series {
        /** When each object was put into the queue, in nanoseconds. */
        final Map<ResourceID, Long> waiting = new ConcurrentHashMap<>();

        final AtomicInteger active = new AtomicInteger();
        final Counter adds;
        final Counter retries;
        final Timer inQueue;
        final Timer time;
        final Counter successes;
        final Counter failures;
        final Counter errors;

        Series(String controller) {
            Tags own = Tags.of("controller", controller);
            Tags queue = Tags.of("name", controller);
            gauge("controller.runtime.active.workers", "Reconciles that run now", own, active);
            gauge(
                    "controller.runtime.max.concurrent.reconciles",
                    "Reconciles that may run at once, of all controllers together",
                    own,
                    new AtomicInteger(atOnce));
            Gauge.builder("workqueue.depth", waiting, Map::size)
                    .description("Objects that wait for a reconcile")
                    .tags(queue)
                    .register(registry);
            adds = counter("workqueue.adds", "Objects put into the queue", queue);
            retries = counter("workqueue.retries", "Objects put into the queue after a failure", queue);
            inQueue = timer("workqueue.queue.duration", "Time from the queue to the reconcile", queue);
            time = timer("controller.runtime.reconcile.time", "Time of a reconcile", own);
            successes = counter("controller.runtime.reconcile", "Reconciles", own.and("result", "success"));
            failures = counter("controller.runtime.reconcile", "Reconciles", own.and("result", "error"));
            errors = counter("controller.runtime.reconcile.errors", "Reconciles that failed", own);
        }

        private void gauge(String name, String description, Tags tags, AtomicInteger value) {
            Gauge.builder(name, value, AtomicInteger::get)
                    .description(description)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        }

        private Counter counter(String name, String description, Tags tags) {
            return Counter.builder(name).description(description).tags(tags).register(registry);
        }

        private Timer timer(String name, String description, Tags tags) {
            return Timer.builder(name)
                    .description(description)
                    .tags(tags)
                    .serviceLevelObjectives(BOUNDS)
                    .register(registry);
        }
    }

    private Series of(Map<String, Object> metadata) {
        return of(String.valueOf(metadata.get(Constants.CONTROLLER_NAME)));
    }

    private Series of(String controller) {
        return series.computeIfAbsent(controller, Series::new);
    }

    @Override
    public void controllerRegistered(Controller<? extends HasMetadata> controller) {
        String name = controller.getConfiguration().getName();
        var unused = of(name);
        conditions.add(
                name,
                () -> controller
                        .getEventSourceManager()
                        .getControllerEventSource()
                        .list());
    }

    @Override
    public void reconciliationSubmitted(
            HasMetadata resource, @Nullable RetryInfo retryInfo, Map<String, Object> metadata) {
        Series controller = of(metadata);
        controller.waiting.put(ResourceID.fromResource(resource), System.nanoTime());
        controller.adds.increment();
        if (retryInfo != null) {
            controller.retries.increment();
        }
    }

    @Override
    public void reconciliationStarted(HasMetadata resource, Map<String, Object> metadata) {
        Series controller = of(metadata);
        Long since = controller.waiting.remove(ResourceID.fromResource(resource));
        if (since != null) {
            controller.inQueue.record(System.nanoTime() - since, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void cleanupDone(ResourceID resource, Map<String, Object> metadata) {
        of(metadata).waiting.remove(resource);
    }

    @Override
    public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
        Series controller = of(execution.controllerName());
        controller.active.incrementAndGet();
        long start = System.nanoTime();
        boolean done = false;
        try {
            T result = execution.execute();
            done = true;
            return result;
        } finally {
            controller.time.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            controller.active.decrementAndGet();
            (done ? controller.successes : controller.failures).increment();
            if (!done) {
                controller.errors.increment();
            }
        }
    }
}
