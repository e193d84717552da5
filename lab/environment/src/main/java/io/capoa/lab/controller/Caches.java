package io.capoa.lab.controller;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Informers of one controller: one list and one watch per kind, shared by all of its work queues. */
public final class Caches implements AutoCloseable {

    private final KubernetesClient client;
    private final @Nullable String namespace;
    private final boolean onlyServed;
    private final Map<Class<?>, Cache<?>> caches = new ConcurrentHashMap<>();
    private final List<Cache<?>> opened = new CopyOnWriteArrayList<>();

    /** Watches all namespaces. */
    public Caches(KubernetesClient client) {
        this(client, null);
    }

    /** Watches one namespace, or all if {@code null}. */
    public Caches(KubernetesClient client, @Nullable String namespace) {
        this(client, namespace, false);
    }

    private Caches(KubernetesClient client, @Nullable String namespace, boolean onlyServed) {
        this.client = client;
        this.namespace = namespace;
        this.onlyServed = onlyServed;
    }

    /** Watches all namespaces; the cache of a kind that the API server does not serve at the start stays empty. */
    public static Caches ofServedKinds(KubernetesClient client) {
        return new Caches(client, null, true);
    }

    /** The cache of a kind; the watch begins with {@link #start()}. */
    @SuppressWarnings("unchecked")
    public <R extends HasMetadata> Cache<R> of(Class<R> kind) {
        return (Cache<R>) caches.computeIfAbsent(
                kind, k -> new Cache<R>(seen(client.resources(kind)).runnableInformer(0)));
    }

    /** The cache of a kind in all namespaces, whatever this watches; the watch begins with {@link #start()}. */
    @SuppressWarnings("unchecked")
    public <R extends HasMetadata> Cache<R> ofAllNamespaces(Class<R> kind) {
        return (Cache<R>) caches.computeIfAbsent(
                kind, k -> new Cache<R>(client.resources(kind).inAnyNamespace().runnableInformer(0)));
    }

    /** The cache of a cluster-scoped kind; the watch begins with {@link #start()}. */
    @SuppressWarnings("unchecked")
    public <R extends HasMetadata> Cache<R> clusterScoped(Class<R> kind) {
        return (Cache<R>) caches.computeIfAbsent(
                kind, k -> new Cache<R>(client.resources(kind).runnableInformer(0)));
    }

    /** The cache of the objects of a kind that have the label; the watch begins with {@link #start()}. */
    @SuppressWarnings("unchecked")
    public <R extends HasMetadata> Cache<R> labelled(Class<R> kind, String label) {
        return (Cache<R>) caches.computeIfAbsent(
                kind,
                k -> new Cache<R>(seen(client.resources(kind)).withLabel(label).runnableInformer(0)));
    }

    /** The cache of a kind without a class; its informer has already synced. */
    public Cache<GenericKubernetesResource> open(ResourceDefinitionContext kind) {
        var cache = new Cache<GenericKubernetesResource>(
                seen(client.genericKubernetesResources(kind)).runnableInformer(0));
        cache.informer.start().toCompletableFuture().join();
        opened.add(cache);
        return cache;
    }

    private <R extends HasMetadata, L extends KubernetesResourceList<R>>
            FilterWatchListDeletable<R, L, Resource<R>> seen(MixedOperation<R, L, Resource<R>> kind) {
        return namespace == null ? kind.inAnyNamespace() : kind.inNamespace(namespace);
    }

    /** Starts all informers; returns when they have synced. */
    public void start() {
        List<SharedIndexInformer<?>> informers = caches.entrySet().stream()
                .filter(cache -> !onlyServed || isServed(cache.getKey()))
                .<SharedIndexInformer<?>>map(cache -> cache.getValue().informer)
                .toList();
        informers.stream()
                .map(i -> i.start().toCompletableFuture())
                .toList()
                .forEach(java.util.concurrent.CompletableFuture::join);
    }

    @SuppressWarnings("unchecked")
    private boolean isServed(Class<?> kind) {
        return client.supports((Class<? extends KubernetesResource>) kind);
    }

    /** Stores the response to a write, so that the next reconcile does not read a stale object. */
    @SuppressWarnings("unchecked")
    <R extends HasMetadata> void wrote(R answer) {
        Cache<R> cache = (Cache<R>) caches.get(answer.getClass());
        if (cache != null) {
            cache.wrote(answer);
        }
    }

    @Override
    public void close() {
        caches.values().forEach(c -> c.informer.stop());
        opened.forEach(c -> c.informer.stop());
    }

    /** The cache of one kind; its objects are shared and must not be modified. */
    public static final class Cache<R extends HasMetadata> {

        private static final String BY_NAMESPACE = "namespace";

        private final SharedIndexInformer<R> informer;
        private final List<Consumer<R>> listeners = new CopyOnWriteArrayList<>();
        private final Map<Key, R> written = new ConcurrentHashMap<>();

        Cache(SharedIndexInformer<R> informer) {
            this.informer = informer;
            informer.addIndexers(Map.of(
                    "by-" + BY_NAMESPACE,
                    r -> List.of(String.valueOf(r.getMetadata().getNamespace()))));
            informer.addEventHandler(new ResourceEventHandler<>() {
                @Override
                public void onAdd(R added) {
                    listeners.forEach(l -> l.accept(added));
                }

                @Override
                public void onUpdate(R before, R after) {
                    listeners.forEach(l -> l.accept(after));
                }

                @Override
                public void onDelete(R deleted, boolean stateUnknown) {
                    written.computeIfPresent(Key.of(deleted), (key, own) -> isSame(own, deleted) ? null : own);
                    listeners.forEach(l -> l.accept(deleted));
                }
            });
        }

        /** Calls the listener with every object that is added, changed or deleted. */
        public void onChange(Consumer<R> listener) {
            listeners.add(listener);
        }

        /** The object as last received from the watch, or from the response to a write if that is newer. */
        public @Nullable R get(Key key) {
            R own = written.get(key);
            R seen = informer.getIndexer().getByKey(key.namespace().isEmpty() ? key.name() : key.toString());
            if (seen == null) {
                forget(key, own);
                return null;
            }
            return latest(seen, own);
        }

        /**
         * The newer of both. The own write has to be read before the watched object: once the watch has caught up, any
         * thread may forget it, and an object of the watch that was read earlier would be taken for the newest.
         */
        private R latest(R seen, @Nullable R own) {
            if (own != null && isSame(seen, own) && version(seen) < version(own)) {
                return own;
            }
            forget(Key.of(seen), own);
            return seen;
        }

        private void forget(Key key, @Nullable R own) {
            if (own != null) {
                written.remove(key, own);
            }
        }

        /** Stores the response to a write. */
        public void wrote(R answer) {
            written.merge(Key.of(answer), answer, (had, now) -> version(had) > version(now) ? had : now);
        }

        private static boolean isSame(HasMetadata one, HasMetadata other) {
            return one.getMetadata().getUid().equals(other.getMetadata().getUid());
        }

        private static long version(HasMetadata object) {
            return Long.parseLong(object.getMetadata().getResourceVersion());
        }

        /** All objects, each as {@link #get} returns it. */
        public Stream<R> list() {
            Map<Key, R> own = Map.copyOf(written);
            return latest(informer.getIndexer().list(), own);
        }

        /** The objects of a namespace, each as {@link #get} returns it. */
        public Stream<R> list(String namespace) {
            Map<Key, R> own = Map.copyOf(written);
            return latest(informer.getIndexer().byIndex("by-" + BY_NAMESPACE, namespace), own);
        }

        private Stream<R> latest(List<R> seen, Map<Key, R> own) {
            return seen.stream().map(object -> latest(object, own.get(Key.of(object))));
        }
    }
}
