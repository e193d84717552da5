package io.capoa.runtime.manager;

import io.capoa.runtime.client.ThreadWrites;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.ManagedInformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.timer.TimerEventSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts reconciles by the event source that woke them, the first one where there were several, and by whether they wrote
 * anything: {@code capoa_reconcile_triggers_total}.
 */
final class ReconcileTriggers implements Metrics {

    /** The source of events of JOSDK's timer: a delay that a reconcile asked for, or a failed one that is tried again. */
    static final String TIMER = "timer";

    static final String RETRY = "retry";

    private record Series(String controller, String source, boolean wrote) {}

    private record Primary(String controller, ResourceID primary) {}

    private record Running(Series series, long sent) {}

    /** The source whose event this thread hands to JOSDK. */
    private static final ThreadLocal<@Nullable String> DELIVERING = new ThreadLocal<>();

    /** The reconcile of this thread. */
    private static final ThreadLocal<@Nullable Running> RUNNING = new ThreadLocal<>();

    private final MeterRegistry registry;
    private final Map<Series, Counter> counters = new ConcurrentHashMap<>();

    /** The source of the first event since the last reconcile was submitted. */
    private final Map<Primary, String> received = new ConcurrentHashMap<>();

    private final Map<Primary, String> submitted = new ConcurrentHashMap<>();

    ReconcileTriggers(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Every event of a controller passes through here from now on. */
    @Override
    public void controllerRegistered(Controller<? extends HasMetadata> controller) {
        EventHandler processor = controller.getEventProcessor();
        controller
                .getEventSourceManager()
                .allEventSources()
                .forEach(source -> source.setEventHandler(from(label(source), processor)));
    }

    EventHandler from(String source, EventHandler processor) {
        return event -> {
            DELIVERING.set(source);
            try {
                processor.handleEvent(event);
            } finally {
                DELIVERING.remove();
            }
        };
    }

    /** One of few: the kind of an informer's objects, or the name of a source of another sort. */
    static String label(EventSource<?, ?> source) {
        if (source instanceof TimerEventSource<?>) {
            return TIMER;
        }
        return source instanceof ManagedInformerEventSource<?, ?, ?> informer
                ? HasMetadata.getKind(informer.resourceType())
                : source.name();
    }

    @Override
    public void eventReceived(Event event, Map<String, Object> metadata) {
        String source = DELIVERING.get();
        if (source != null) {
            var unused = received.putIfAbsent(primary(metadata, event.getRelatedCustomResourceID()), source);
        }
    }

    @Override
    public void reconciliationSubmitted(HasMetadata resource, @Nullable RetryInfo retry, Map<String, Object> metadata) {
        Primary primary = primary(metadata, ResourceID.fromResource(resource));
        String source = received.remove(primary);
        boolean again = retry != null && (source == null || source.equals(TIMER));
        submitted.put(primary, again || source == null ? RETRY : source);
    }

    @Override
    public void reconciliationStarted(HasMetadata resource, Map<String, Object> metadata) {
        Primary primary = primary(metadata, ResourceID.fromResource(resource));
        String source = submitted.remove(primary);
        if (source != null) {
            RUNNING.set(new Running(new Series(primary.controller(), source, false), ThreadWrites.sent()));
        }
    }

    @Override
    public void reconciliationFinished(HasMetadata resource, @Nullable RetryInfo retry, Map<String, Object> metadata) {
        Running ended = RUNNING.get();
        RUNNING.remove();
        if (ended != null) {
            Series series = ended.series();
            boolean wrote = ThreadWrites.sent() > ended.sent();
            counters.computeIfAbsent(new Series(series.controller(), series.source(), wrote), this::counter)
                    .increment();
        }
    }

    @Override
    public void cleanupDone(ResourceID resource, Map<String, Object> metadata) {
        Primary primary = primary(metadata, resource);
        received.remove(primary);
        submitted.remove(primary);
    }

    private Counter counter(Series series) {
        return Counter.builder("capoa.reconcile.triggers")
                .description("Reconciles by the event source that woke them, and by whether they wrote anything")
                .tag("controller", series.controller())
                .tag("source", series.source())
                .tag("wrote", Boolean.toString(series.wrote()))
                .register(registry);
    }

    private static Primary primary(Map<String, Object> metadata, ResourceID primary) {
        return new Primary(String.valueOf(metadata.get(Constants.CONTROLLER_NAME)), primary);
    }
}
