package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.Status;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Informer of a kind whose objects are also written through it. */
class WritableSource<R extends HasMetadata, P extends HasMetadata> extends InformerEventSource<R, P> {

    private final UnaryOperator<R> kept;
    private final WatchRights rights;
    private final @Nullable ReadFilter<P, R> filter;
    private volatile boolean ended;

    /**
     * A source whose cache holds what the function leaves of an object.
     *
     * @param kept may change its argument
     * @param rights to watch the kind
     * @param filter of its events; {@code null} to hand on all
     */
    WritableSource(
            InformerEventSourceConfiguration<R> configuration,
            EventSourceContext<P> context,
            UnaryOperator<R> kept,
            WatchRights rights,
            @Nullable ReadFilter<P, R> filter) {
        super(configuration, context);
        this.kept = kept;
        this.rights = rights;
        this.filter = filter;
    }

    @Override
    public void setEventHandler(EventHandler handler) {
        super.setEventHandler(filter == null ? handler : filter.before(handler));
    }

    /** Events that arrive during a write of this process are handed on later, and are not filtered. */
    @Override
    public void onUpdate(R before, R after) {
        if (filter == null) {
            super.onUpdate(before, after);
        } else {
            filter.during(before, after, () -> super.onUpdate(before, after));
        }
    }

    /**
     * Ends the source for good; it cannot be started again. Not synchronized: a start under way may wait for its cache for
     * seconds.
     */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void stop() {
        end();
        stopWatching();
    }

    /** From now on, what the cache does not hold says nothing. Call it before the cache is emptied. */
    final void end() {
        ended = true;
    }

    final boolean hasEnded() {
        return ended;
    }

    /** Stops the informers, which empties the cache. */
    final void stopWatching() {
        super.stop();
    }

    /** Unhealthy before the start, too, of which JOSDK cannot say anything. */
    @Override
    public Status getStatus() {
        return isRunning() ? super.getStatus() : Status.UNHEALTHY;
    }

    @Override
    public Map<String, InformerHealthIndicator> informerHealthIndicators() {
        return isRunning() ? super.informerHealthIndicators() : Map.of();
    }

    /** Which right is missing to watch the kind, if one is. One request at most; ask while the kind is not watched. */
    Optional<String> missingRight() {
        return rights.missing();
    }

    /**
     * Runs a write and caches its response, so that it is read back at once and triggers no reconcile, unless it shows
     * a concurrent change, whose event JOSDK would take for the provider's own.
     *
     * @param overtaken detects that from the cached object and the response
     */
    R write(R target, UnaryOperator<R> request, BiPredicate<R, R> overtaken) {
        R before = get(ResourceID.fromResource(target)).orElse(null);
        R after = eventFilteringUpdateAndCacheResource(target, t -> kept.apply(request.apply(t)));
        if (before != null && overtaken.test(before, after)) {
            configuration()
                    .getSecondaryToPrimaryMapper()
                    .toPrimaryResourceIDs(after)
                    .forEach(primary -> getEventHandler().handleEvent(new Event(primary)));
        }
        return after;
    }
}
