package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.health.Status;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Cache of one watched kind. It shows the reconciler's own writes at once, before the informer receives them. The
 * returned objects are shared: do not modify them.
 *
 * <p>Reads throw {@link CancellationException} when the manager stops: JOSDK empties the caches while reconciles are still
 * running, and those would find that their objects do not exist.
 */
public final class Source<R extends HasMetadata> {

    private static final Comparator<HasMetadata> BY_NAME =
            Comparator.comparing(r -> r.getMetadata().getName());

    private final WritableSource<R, ?> informer;

    Source(WritableSource<R, ?> informer) {
        this.informer = informer;
    }

    /**
     * Whether the kind is being watched. While it is not (its CRD is absent, the API server does not answer), what the
     * cache holds is unknown, not empty: decide nothing from it.
     */
    public boolean isKnown() {
        return informer.getStatus() == Status.HEALTHY;
    }

    /** What is missing and what to install, if the kind is not watched because the cluster does not serve it. */
    public Optional<String> absence() {
        return informer instanceof KindSource<?, ?> source
                ? source.absence().map(MissingKind::sentence)
                : Optional.empty();
    }

    /**
     * Which right is missing to watch the kind and what to grant, if it is not watched for want of one. A request to the
     * API server in a few seconds while the kind is not watched, none otherwise.
     */
    public Optional<String> missingRight() {
        return isKnown() || absence().isPresent() ? Optional.empty() : informer.missingRight();
    }

    /** Why nothing can be decided from it while it is not known. */
    String obstacle() {
        return absence()
                .or(this::missingRight)
                .orElseGet(() -> "objects of kind " + HasMetadata.getKind(kind()) + " cannot be watched now");
    }

    /** The kind. */
    Class<R> kind() {
        return informer.configuration().getResourceClass();
    }

    /** The object of that name; for cluster-scoped kinds the namespace is {@code null}. */
    public Optional<R> get(@Nullable String namespace, String name) {
        return unlessEnded(informer.get(new ResourceID(name, namespace)));
    }

    /** The objects under a key of an index declared with {@link EventSources.Declaration#index}, by name. */
    public List<R> byIndex(String index, String key) {
        return unlessEnded(informer.byIndex(index, key).stream()
                .map(this::latest)
                .flatMap(Optional::stream)
                .sorted(BY_NAME)
                .toList());
    }

    /** The objects that {@link EventSources.Declaration#enqueues} maps to this primary, by name; own creations included. */
    @SuppressWarnings("unchecked")
    public <P extends HasMetadata> List<R> of(P primary) {
        return unlessEnded(((WritableSource<R, P>) informer)
                .getSecondaryResources(primary).stream().sorted(BY_NAME).toList());
    }

    /** All objects of the kind in a namespace, by name; own creations may be missing until the watch brings them. */
    public List<R> list(String namespace) {
        return unlessEnded(informer.list(namespace)
                .map(this::latest)
                .flatMap(Optional::stream)
                .sorted(BY_NAME)
                .toList());
    }

    /**
     * Runs a write and caches its response, so that it is read back at once and triggers no reconcile unless another
     * client has changed the object just before.
     *
     * @param overtaken detects that from the cached object and the response
     */
    public R write(R target, UnaryOperator<R> request, BiPredicate<R, R> overtaken) {
        return informer.write(target, request, overtaken);
    }

    /** What was read, if the cache was whole until then. */
    private <T> T unlessEnded(T read) {
        if (informer.hasEnded()) {
            throw new CancellationException("The manager stops: its cache of %s is no longer whole"
                    .formatted(HasMetadata.getKind(informer.configuration().getResourceClass())));
        }
        return read;
    }

    private Optional<R> latest(R cached) {
        return informer.get(ResourceID.fromResource(cached));
    }
}
