package io.capoa.runtime.watch;

import io.capoa.api.ReadInPart;
import io.capoa.runtime.failure.ObjectsNotHeldException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelector;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares a reconciler's secondary resources. There are two kinds of secondary-to-primary mappers, which add up:
 *
 * <ul>
 *   <li>{@link Declaration#enqueues}: the object itself names its primaries (owner reference, label with the name);
 *   <li>{@link Declaration#enqueuesByKey}: primary and object share a key (the name of a cluster, of a Machine); the
 *       primaries' side of it is declared once with {@link #primaryKey}.
 * </ul>
 */
public final class EventSources<P extends HasMetadata> {

    private static final Logger LOG = LoggerFactory.getLogger(EventSources.class);

    /** Begins the names of sources whose kind may be absent for good. */
    public static final String OPTIONAL = "optional-";

    /**
     * Objects in a page of a list, which is in memory whole before it is pruned: tenants can make each as long as the API
     * server allows.
     */
    public static final long PAGE = 20;

    private final EventSourceContext<P> context;
    private final List<EventSource<?, P>> sources = new ArrayList<>();
    private final List<Source<?>> awaited = new CopyOnWriteArrayList<>();
    private final CacheRoom room = CacheRoom.ofOthers();
    private final List<LimitedStore<?>> stores = new CopyOnWriteArrayList<>();
    private final EventDebouncer debouncer = new EventDebouncer();

    public EventSources(EventSourceContext<P> context) {
        this.context = context;
        register(context.getPrimaryResourceClass());
    }

    /** Watch events are then read as this class at once, not as maps that are converted. */
    private void register(Class<? extends HasMetadata> kind) {
        context.getClient().getKubernetesSerialization().registerKubernetesResource(kind);
    }

    /**
     * Names a key that primaries and objects share. The function returns a primary's keys, without the namespace: keys
     * never match across namespaces.
     */
    public EventSources<P> primaryKey(String name, Function<P, ? extends Collection<String>> keys) {
        context.getPrimaryCache()
                .addIndexer(
                        name,
                        primary -> keys.apply(primary).stream()
                                .map(key -> scoped(primary, key))
                                .toList());
        return this;
    }

    /** As {@link #primaryKey}, for keys that objects of every namespace share. */
    public EventSources<P> sharedKey(String name, Function<P, ? extends Collection<String>> keys) {
        context.getPrimaryCache().addIndexer(name, primary -> List.copyOf(keys.apply(primary)));
        return this;
    }

    /** The namespaces whose primaries are looked after; empty for all. */
    public Set<String> namespaces() {
        var informers = context.getControllerConfiguration().getInformerConfig();
        return informers.watchAllNamespaces() ? Set.of() : Set.copyOf(informers.getNamespaces());
    }

    /** Begins the declaration of a watched kind. */
    public <R extends HasMetadata> Declaration<R> on(Class<R> kind) {
        return new Declaration<>(kind);
    }

    /** Adds an event source of another sort. */
    public EventSources<P> add(EventSource<?, P> source) {
        sources.add(source);
        return this;
    }

    /** Everything declared, for {@code Reconciler.prepareEventSources}. */
    public List<EventSource<?, P>> toList() {
        return List.copyOf(sources);
    }

    /** The declared kinds that a reconcile has to wait for now; neither optional ones nor {@link Declaration#notAwaited}. */
    public Unwatched unwatched() {
        Unwatched unwatched = new Unwatched(awaited.stream()
                .filter(source -> !source.isKnown() || source.absence().isPresent())
                .toList());
        if (!unwatched.isEmpty()) {
            LOG.debug("waiting for the informers of {}", unwatched.kinds());
        }
        return unwatched;
    }

    /** Where the events of all sources wait that can. */
    public EventDebouncer debouncer() {
        return debouncer;
    }

    /** A cache for a kind of others that has no declaration; it shares their memory. */
    public <R extends HasMetadata> ItemStore<R> store(UnaryOperator<R> kept) {
        LimitedStore<R> store = LimitedStore.pruned(kept, room);
        stores.add(store);
        return store;
    }

    /**
     * Nothing can be decided in a namespace while an object in it, of whatever kind of others, is not held.
     *
     * @throws ObjectsNotHeldException that names one, the limit, and the remedy
     */
    public void requireHeld(String namespace) {
        for (LimitedStore<?> store : stores) {
            Optional<String> reason = store.notHeldIn(namespace);
            if (reason.isPresent()) {
                throw new ObjectsNotHeldException(reason.get());
            }
        }
    }

    private String fieldManager() {
        return context.getControllerConfiguration().fieldManager();
    }

    private static String scoped(HasMetadata resource, String key) {
        return resource.getMetadata().getNamespace() + "/" + key;
    }

    /**
     * Whether one informer sees all objects of a kind. Where each namespace has its own, JOSDK gives the one store of the
     * configuration to all of them ({@code InformerManager.createEventSource}), and each would drop from it what it does
     * not list itself: namespaces are then kept whole, which costs memory and nothing else.
     */
    private boolean isWatchedAtOnce() {
        return context.getControllerConfiguration()
                        .getInformerConfig()
                        .getNamespaces()
                        .size()
                <= 1;
    }

    /** A watched kind in the making. */
    public final class Declaration<R extends HasMetadata> {

        private final Class<R> kind;
        private final Map<String, Function<R, List<String>>> indexes = new HashMap<>();
        private Function<R, Set<ResourceID>> primaries = resource -> Set.of();
        private @Nullable String name;
        private @Nullable String labelSelector;
        private @Nullable FieldSelector fieldSelector;
        private @Nullable UnaryOperator<R> pruning;
        private @Nullable String newer;
        private @Nullable BiFunction<P, R, @Nullable Object> reads;
        private @Nullable Function<R, @Nullable Object> urgent;
        private Predicate<R> progress = resource -> false;
        private boolean finalizersCount;
        private boolean waited = true;

        private Declaration(Class<R> kind) {
            this.kind = kind;
            register(kind);
        }

        /** Names the source, needed where one kind is watched twice. */
        public Declaration<R> named(String name) {
            this.name = name;
            return this;
        }

        /** The kind may be absent for good: the manager is ready without it; ask {@link Source#isKnown} before use. */
        public Declaration<R> optional() {
            return notAwaited().named(OPTIONAL + kind.getSimpleName());
        }

        /** Reconciles go on while the kind is not watched, as if there were no object of it. */
        public Declaration<R> notAwaited() {
            this.waited = false;
            return this;
        }

        /**
         * An older version of an optional kind, watched only where the newer one is not served: of the versions of a kind
         * that are served each shows the same objects.
         */
        public Declaration<R> whereNotServedAs(String newer) {
            this.newer = newer;
            return optional();
        }

        /** Only objects with these labels are listed and watched; filtered by the server. */
        public Declaration<R> labelled(String selector) {
            this.labelSelector = selector;
            return this;
        }

        /** Only objects of that field value are listed and watched; filtered by the server. */
        public Declaration<R> where(String field, String value) {
            this.fieldSelector = new FieldSelector(new FieldSelector.Field(field, value));
            return this;
        }

        /**
         * Prunes objects before they are cached; the function may modify its argument, see {@link CachePruning}. A change of
         * pruned fields triggers no reconcile. Not done where several namespaces are watched one by one.
         */
        public Declaration<R> pruned(UnaryOperator<R> pruning) {
            this.pruning = pruning;
            return this;
        }

        /**
         * What the decisions of a primary read of an object, as a value: an update that leaves it equal does not requeue that
         * primary. It may depend on other watched objects, whose changes requeue the primary by themselves; what only this
         * process writes must never make a field matter that did not matter before.
         */
        public Declaration<R> reads(BiFunction<P, R, @Nullable Object> reads) {
            this.reads = reads;
            return this;
        }

        /**
         * An update of the status alone requeues primaries within half a second, several together, unless it changes this
         * value: that by which more is decided than a status to report, which is held back for longer anyway.
         */
        public Declaration<R> statusWaits(Function<R, @Nullable Object> unless) {
            this.urgent = unless;
            return this;
        }

        /** As {@link #statusWaits(Function)}, without exception. */
        public Declaration<R> statusWaits() {
            return statusWaits(resource -> null);
        }

        /**
         * Of the updates that can wait, those from progress to progress wait for some seconds.
         *
         * @param progress whether an object's status says how far something is, and nothing else
         */
        public Declaration<R> progressWaits(Predicate<R> progress) {
            this.progress = progress;
            return this;
        }

        /** A change of finalizers requeues too, and not only of objects that are being deleted. */
        public Declaration<R> finalizersCount() {
            this.finalizersCount = true;
            return this;
        }

        /** Maps an object to its primaries by its own fields. */
        public Declaration<R> enqueues(Function<R, Set<ResourceID>> primaries) {
            return also(resource -> primaries.apply(resource).stream());
        }

        /** A change of the object enqueues the primaries in its namespace that share one of its keys. */
        public Declaration<R> enqueuesByKey(String primaryKey, Function<R, ? extends Collection<String>> keys) {
            return also(resource -> keys.apply(resource).stream()
                    .flatMap(key -> context.getPrimaryCache().byIndex(primaryKey, scoped(resource, key)).stream())
                    .map(ResourceID::fromResource));
        }

        /** A change of the object enqueues the primaries of all namespaces that share one of its keys. */
        public Declaration<R> enqueuesBySharedKey(String sharedKey, Function<R, ? extends Collection<String>> keys) {
            return also(resource -> keys.apply(resource).stream()
                    .flatMap(key -> context.getPrimaryCache().byIndex(sharedKey, key).stream())
                    .map(ResourceID::fromResource));
        }

        private Declaration<R> also(Function<R, Stream<ResourceID>> more) {
            Function<R, Set<ResourceID>> others = primaries;
            this.primaries = resource -> Stream.concat(others.apply(resource).stream(), more.apply(resource))
                    .collect(Collectors.toSet());
            return this;
        }

        /** Makes objects findable by {@link Source#byIndex}; keys should carry the namespace. */
        public Declaration<R> index(String index, Function<R, List<String>> keys) {
            indexes.put(index, keys);
            return this;
        }

        /** Ends the declaration. */
        public Source<R> source() {
            InformerEventSourceConfiguration.Builder<R> configuration = InformerEventSourceConfiguration.from(
                            kind, context.getPrimaryResourceClass())
                    .withSecondaryToPrimaryMapper(primaries::apply);
            if (Namespaced.class.isAssignableFrom(kind)) {
                configuration.withNamespacesInheritedFromController();
            } else {
                configuration.withWatchAllNamespaces();
            }
            if (name != null) {
                configuration.withName(name);
            }
            if (labelSelector != null) {
                configuration.withLabelSelector(labelSelector);
            }
            if (fieldSelector != null) {
                configuration.withFieldSelector(fieldSelector);
            }
            UnaryOperator<R> kept = isWatchedAtOnce() ? this::kept : UnaryOperator.identity();
            if (isWatchedAtOnce()) {
                configuration.withItemStore(
                        ReadInPart.class.isAssignableFrom(kind)
                                ? LimitedStore.pruned(kept, CacheRoom.ofOwnKind())
                                : store(kept));
            }
            configuration.withOnUpdateFilter(this::counts);
            boolean builtIn = !HasMetadata.getGroup(kind).contains(".");
            configuration.withInformerListLimit(PAGE);
            WatchRights rights = new WatchRights(
                    context.getClient(), kind, Namespaced.class.isAssignableFrom(kind) ? namespaces() : Set.of());
            ReadFilter<P, R> filter = reads == null && urgent == null
                    ? null
                    : new ReadFilter<>(context.getPrimaryCache()::get, reads, urgent, progress, debouncer);
            WritableSource<R, P> informer = builtIn
                    ? new WritableSource<>(configuration.build(), context, kept, rights, filter)
                    : new KindSource<>(kind, configuration.build(), context, kept, rights, filter, name != null, newer);
            informer.addIndexers(indexes);
            sources.add(informer);
            Source<R> source = new Source<>(informer);
            if (waited) {
                awaited.add(source);
            }
            return source;
        }

        private boolean counts(R after, R before) {
            boolean counts = finalizersCount
                    ? UpdatePredicate.hasChangedWithFinalizers(before, after)
                    : UpdatePredicate.hasChanged(before, after);
            LOG.debug(
                    "{} {} {}",
                    after.getKind(),
                    ResourceID.fromResource(after),
                    counts ? "has changed" : "has changed in nothing that is read");
            return counts;
        }

        private R kept(R resource) {
            R own = CachePruning.withOwnFields(resource, fieldManager());
            return pruning == null ? own : pruning.apply(own);
        }
    }
}
