package io.capoa.bootstrap.config;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.StatusDebouncer;
import io.capoa.runtime.status.StatusWriter;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a config's status and records its Events: the only writer of both. */
final class StatusReporter {

    private static final Logger LOG = LoggerFactory.getLogger(StatusReporter.class);

    private final EventRecorder events;
    private final Clock clock;
    private final StatusDebouncer<OpenshiftAssistedConfigStatus> gathering;

    StatusReporter(EventRecorder events, Clock clock) {
        this.events = events;
        this.clock = clock;
        this.gathering = ConfigReport.gathering(clock);
    }

    /**
     * Reports a reconcile, unless the status is debounced.
     *
     * @param again when to reconcile again without an event; {@code null} if only events matter
     */
    UpdateControl<OpenshiftAssistedConfig> report(
            OpenshiftAssistedConfig config,
            OpenshiftAssistedConfigStatus status,
            @Nullable Duration again,
            Context<OpenshiftAssistedConfig> context) {
        Optional<Duration> hold = gathering.hold(ResourceID.fromResource(config), config.getStatus(), status);
        if (hold.isPresent()) {
            return UpdateControl.<OpenshiftAssistedConfig>noUpdate().rescheduleAfter(hold.get());
        }
        record(config, status);
        return StatusWriter.report(config, status, OpenshiftAssistedConfig::new, again, context);
    }

    /** Records what no condition shows. */
    void warn(OpenshiftAssistedConfig config, RecordedEvent event) {
        events.tell(config, event);
    }

    /** Reports what the deletion waits for. */
    DeleteControl deleting(
            OpenshiftAssistedConfig config, String waitingFor, Context<OpenshiftAssistedConfig> context) {
        return StatusWriter.reportDeleting(
                config, ConfigReport.deleting(config, waitingFor, clock), OpenshiftAssistedConfig::new, context);
    }

    /** Reports a failed reconcile. */
    void failed(OpenshiftAssistedConfig config, Exception failure, Context<OpenshiftAssistedConfig> context) {
        status(config, failure, context).ifPresent(status -> {
            record(config, status);
            write(config, status, context);
        });
    }

    /** Reports a failed cleanup, without Events. */
    void failedCleanup(OpenshiftAssistedConfig config, Exception failure, Context<OpenshiftAssistedConfig> context) {
        status(config, failure, context).ifPresent(status -> write(config, status, context));
    }

    void forget(ResourceID config) {
        gathering.forget(config);
    }

    /** The status after an exception. A transient failure shows only if it happens twice in a row. */
    private Optional<OpenshiftAssistedConfigStatus> status(
            OpenshiftAssistedConfig config, Exception failure, Context<OpenshiftAssistedConfig> context) {
        if (failure instanceof WriteFailure write) {
            return write.isConflict()
                    ? Optional.empty()
                    : Optional.of(ConfigReport.failed(config, write.conditionType(), write.blocker(), clock));
        }
        boolean again = context.getRetryInfo()
                .filter(retry -> retry.getAttemptCount() > 0)
                .isPresent();
        return ReconcileFailure.of(failure, "bootstrap")
                .filter(known -> again || !known.transientFailure())
                .map(known -> ConfigReport.failed(
                        config, ConfigConditions.READY, new Blocker(known.reason(), known.message()), clock));
    }

    /** Ignores an exception of its own: the original failure matters more. */
    private static void write(
            OpenshiftAssistedConfig config,
            OpenshiftAssistedConfigStatus status,
            Context<OpenshiftAssistedConfig> context) {
        try {
            var unused = StatusWriter.report(config, status, OpenshiftAssistedConfig::new, null, context);
        } catch (RuntimeException e) {
            LOG.debug("The failure cannot be written", e);
        }
    }

    private void record(OpenshiftAssistedConfig config, OpenshiftAssistedConfigStatus next) {
        ConfigEvents.between(config.getStatus(), next).forEach(event -> events.tell(config, event));
    }
}
