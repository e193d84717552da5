package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Informers of kinds that users choose by reference (infrastructure machines), started when a kind is first requested.
 * Keeps only the objects' metadata.
 */
public final class ChosenKinds<P extends HasMetadata> extends AbstractEventSource<Void, P> {

    private static final Logger LOG = LoggerFactory.getLogger(ChosenKinds.class);

    /** @param namespace that is watched; empty for all */
    private record Kind(String group, String version, String plural, String namespace) {}

    private final KubernetesClient client;
    private final Set<String> namespaces;
    private final String labelSelector;
    private final UnaryOperator<GenericKubernetesResource> pruning;
    private final Function<GenericKubernetesResource, Set<ResourceID>> primaries;
    private final Function<UnaryOperator<GenericKubernetesResource>, ItemStore<GenericKubernetesResource>> stores;
    private final EventDebouncer debouncer;
    private final Map<Kind, SharedIndexInformer<GenericKubernetesResource>> informers = new ConcurrentHashMap<>();
    private final Map<Kind, Throwable> failures = new ConcurrentHashMap<>();
    private final Map<ResourceID, Boolean> waiting = new ConcurrentHashMap<>();

    /**
     * A source for all kinds.
     *
     * @param namespaces that are watched, where primaries are in any of them; empty for all
     * @param labelSelector of the objects that matter; filtered by the server
     * @param pruning prunes the fields beside the metadata before an object is cached, see {@link CachePruning}
     * @param primaries maps a changed object to its primaries
     * @param stores makes the cache of a kind
     * @param debouncer where changes wait
     */
    public ChosenKinds(
            KubernetesClient client,
            Set<String> namespaces,
            String labelSelector,
            UnaryOperator<GenericKubernetesResource> pruning,
            Function<GenericKubernetesResource, Set<ResourceID>> primaries,
            Function<UnaryOperator<GenericKubernetesResource>, ItemStore<GenericKubernetesResource>> stores,
            EventDebouncer debouncer) {
        super(Void.class, "chosen-kinds");
        this.client = client;
        this.namespaces = Set.copyOf(namespaces);
        this.labelSelector = labelSelector;
        this.pruning = pruning;
        this.primaries = primaries;
        this.stores = stores;
        this.debouncer = debouncer;
    }

    /** The objects of a kind in the primary's namespace, once all of them are known; the primary is requeued when they are. */
    public Optional<Objects> of(ResourceDefinitionContext kind, ResourceID primary) {
        if (!isRunning()) {
            return Optional.empty();
        }
        SharedIndexInformer<GenericKubernetesResource> informer =
                informers.computeIfAbsent(key(kind, primary), unknown -> start(kind, unknown));
        if (!informer.hasSynced()) {
            waiting.put(primary, Boolean.TRUE);
            return informer.hasSynced() ? Optional.of(new Objects(informer)) : Optional.empty();
        }
        return Optional.of(new Objects(informer));
    }

    /** Why the objects of a kind in the primary's namespace are not known, if the API server refuses to list them. */
    public Optional<Throwable> failure(ResourceDefinitionContext kind, ResourceID primary) {
        Kind key = key(kind, primary);
        SharedIndexInformer<GenericKubernetesResource> informer = informers.get(key);
        return informer == null || informer.hasSynced() ? Optional.empty() : Optional.ofNullable(failures.get(key));
    }

    private Kind key(ResourceDefinitionContext kind, ResourceID primary) {
        return new Kind(
                kind.getGroup(),
                kind.getVersion(),
                kind.getPlural(),
                namespaces.isEmpty() ? "" : primary.getNamespace().orElseThrow());
    }

    /** All objects of one kind. */
    public static final class Objects {

        private final SharedIndexInformer<GenericKubernetesResource> informer;

        private Objects(SharedIndexInformer<GenericKubernetesResource> informer) {
            this.informer = informer;
        }

        public @Nullable GenericKubernetesResource get(String namespace, String name) {
            return informer.getIndexer().getByKey(namespace + "/" + name);
        }
    }

    private SharedIndexInformer<GenericKubernetesResource> start(ResourceDefinitionContext kind, Kind key) {
        String namespace = key.namespace();
        var objects = client.genericKubernetesResources(kind);
        SharedIndexInformer<GenericKubernetesResource> informer = (namespace.isEmpty()
                        ? objects.inAnyNamespace()
                        : objects.inNamespace(namespace))
                .withLabelSelector(labelSelector)
                .runnableInformer(0);
        informer.itemStore(stores.apply(this::kept));
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(GenericKubernetesResource added) {
                trigger(primaries.apply(added));
            }

            @Override
            public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
                if (UpdatePredicate.hasChanged(before, after) && isRunning()) {
                    primaries.apply(after).forEach(id -> debouncer.later(id, getEventHandler()));
                }
            }

            @Override
            public void onDelete(GenericKubernetesResource deleted, boolean stateUnknown) {
                trigger(primaries.apply(deleted));
            }
        });
        informer.exceptionHandler((started, cause) -> {
            if (failures.put(key, cause) == null) {
                LOG.warn("{} cannot be watched; it is tried again: {}", kind.getKind(), cause.toString());
                trigger(Set.copyOf(waiting.keySet()));
            }
            return true;
        });
        var unused = informer.start().thenRun(() -> {
            failures.remove(key);
            trigger(Set.copyOf(waiting.keySet()));
            waiting.clear();
        });
        return informer;
    }

    private GenericKubernetesResource kept(GenericKubernetesResource object) {
        object.getMetadata().setManagedFields(null);
        return pruning.apply(object);
    }

    private void trigger(Set<ResourceID> triggered) {
        if (isRunning()) {
            triggered.forEach(id -> getEventHandler().handleEvent(new Event(id)));
        }
    }

    @Override
    public Set<Void> getSecondaryResources(P primary) {
        return Set.of();
    }

    @Override
    public void stop() {
        super.stop();
        informers.values().forEach(SharedIndexInformer::stop);
        informers.clear();
    }
}
