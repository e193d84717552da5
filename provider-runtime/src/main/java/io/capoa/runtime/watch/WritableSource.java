package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/** Informer of a kind whose objects are also written through it. */
class WritableSource<R extends HasMetadata, P extends HasMetadata> extends InformerEventSource<R, P> {

    private final UnaryOperator<R> kept;
    private final WatchRights rights;

    /**
     * A source whose cache holds what the function leaves of an object.
     *
     * @param kept may change its argument
     * @param rights to watch the kind
     */
    WritableSource(
            InformerEventSourceConfiguration<R> configuration,
            EventSourceContext<P> context,
            UnaryOperator<R> kept,
            WatchRights rights) {
        super(configuration, context);
        this.kept = kept;
        this.rights = rights;
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
