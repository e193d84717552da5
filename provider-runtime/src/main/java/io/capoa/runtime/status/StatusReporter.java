package io.capoa.runtime.status;

import io.capoa.api.conditions.ConditionedStatus;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.watch.TriggerEventSource;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the reconciles of a kind: debounces and writes its statuses, and records Events. The only writer of both.
 *
 * @param <S> the status, compared by value
 * @param <P> the kind
 */
public final class StatusReporter<S extends ConditionedStatus, P extends CustomResource<?, S>> {

    private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);

    private final Supplier<P> fresh;
    private final String provider;
    private final StatusDebouncer<S> debouncer;
    private final TriggerEventSource<P> due = new TriggerEventSource<>("held-status");
    private final HeldStatusTimer timer;
    private final EventRecorder recorder;
    private final BiFunction<@Nullable S, S, List<RecordedEvent>> events;

    /**
     * A reporter.
     *
     * @param fresh creates an empty object of the kind
     * @param provider whose log has more about a failure, such as {@code bootstrap}
     * @param events what to record when one status follows another
     */
    public StatusReporter(
            Supplier<P> fresh,
            String provider,
            StatusDebouncer<S> debouncer,
            EventRecorder recorder,
            BiFunction<@Nullable S, S, List<RecordedEvent>> events,
            Clock clock) {
        this.fresh = fresh;
        this.provider = provider;
        this.debouncer = debouncer;
        this.timer = new HeldStatusTimer(debouncer, due::trigger, clock);
        this.recorder = recorder;
        this.events = events;
    }

    /** Requeues the objects whose status has been held back for long enough; to be declared by the reconciler. */
    public EventSource<Void, P> due() {
        return due;
    }

    /**
     * Reports a reconcile, unless the status is debounced.
     *
     * @param again when to reconcile again without an event, also while the status is held; {@code null} if only events
     *     matter
     */
    public UpdateControl<P> report(P primary, S status, @Nullable Duration again, Context<P> context) {
        Optional<Duration> held = debouncer.hold(ResourceID.fromResource(primary), primary.getStatus(), status);
        timer.changed(held);
        if (held.isPresent()) {
            UpdateControl<P> nothing = UpdateControl.noUpdate();
            return again == null ? nothing : nothing.rescheduleAfter(again);
        }
        record(primary, status);
        return StatusWriter.report(primary, status, fresh, again, context);
    }

    /**
     * Reports an object whose stored spec cannot be used. Also by an Event: the API server may refuse every write of an
     * object in which a value has another type than its field.
     */
    public UpdateControl<P> unusable(P primary, S status, Blocker blocker, Context<P> context) {
        warn(primary, RecordedEvent.warning(blocker.reason(), blocker.message()));
        failed(primary, status, context);
        return UpdateControl.noUpdate();
    }

    /** Reports, without Events, what a deletion waits for. */
    public DeleteControl deleting(P primary, S status, Context<P> context) {
        return StatusWriter.reportDeleting(primary, status, fresh, context);
    }

    /** What to report of an exception, which JOSDK retries; a transient failure only if it happens twice in a row. */
    public Optional<Blocker> blocker(Exception failure, Context<P> context) {
        boolean again = context.getRetryInfo()
                .filter(retry -> retry.getAttemptCount() > 0)
                .isPresent();
        return ReconcileFailure.of(failure, provider)
                .filter(known -> again || !known.transientFailure())
                .map(known -> new Blocker(known.reason(), known.message()));
    }

    /** Writes the status after an exception. One of its own is only logged: JOSDK retries because of the original one. */
    public void failed(P primary, S status, Context<P> context) {
        try {
            var unused = StatusWriter.report(primary, status, fresh, null, context);
        } catch (RuntimeException e) {
            LOG.debug("The failure cannot be written to the status", e);
        }
    }

    /** Records the Events that a status gives rise to. */
    public void record(P primary, S status) {
        events.apply(primary.getStatus(), status).forEach(event -> warn(primary, event));
    }

    /** Records what no condition shows. */
    public void warn(P primary, RecordedEvent event) {
        recorder.tell(primary, event);
    }

    /** Drops what is held for an object that is gone. */
    public void forget(P primary) {
        debouncer.forget(ResourceID.fromResource(primary));
        timer.changed(Optional.empty());
    }
}
