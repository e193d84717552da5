package io.capoa.runtime.watch;

import io.capoa.api.ReadInPart;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Cache of an own kind, whose objects tenants can make as long and as many as the API server allows. Of an object that
 * would exceed the limit of its namespace, or the one of all, it keeps the metadata and the status, and the object says
 * so ({@link ReadInPart}).
 */
public final class LimitedStore<R extends HasMetadata> extends BasicItemStore<R> {

    /** Part of the heap that the specs of all objects may take; those of a namespace take half of it. */
    private static final int PART_OF_HEAP = 4;

    private final UnaryOperator<R> kept;
    private final boolean pruned;
    private final long limitOfNamespace;
    private final long limit;
    private final Map<String, Long> weights = new HashMap<>();
    private final Map<String, Long> ofNamespaces = new HashMap<>();
    private long all;

    private LimitedStore(UnaryOperator<R> kept, boolean pruned, long limit) {
        super(Cache::metaNamespaceKeyFunc);
        this.kept = kept;
        this.pruned = pruned;
        this.limit = limit;
        this.limitOfNamespace = limit / 2;
    }

    /** Holds whole objects. */
    public static <R extends HasMetadata> LimitedStore<R> whole() {
        return of(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /** @param limit of all specs, in bytes */
    static <R extends HasMetadata> LimitedStore<R> of(long limit) {
        return new LimitedStore<>(UnaryOperator.identity(), false, limit);
    }

    /** @param kept what is held of an object; may change its argument */
    static <R extends HasMetadata> LimitedStore<R> pruned(UnaryOperator<R> kept) {
        return new LimitedStore<>(kept, true, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    @Override
    public boolean isFullState() {
        return !pruned;
    }

    @Override
    public synchronized @Nullable R put(String key, R object) {
        R held = kept.apply(object);
        release(key);
        if (held instanceof CustomResource<?, ?> own && own instanceof ReadInPart part) {
            limit(key, own, part);
        }
        return super.put(key, held);
    }

    @Override
    public synchronized @Nullable R remove(String key) {
        release(key);
        return super.remove(key);
    }

    private void limit(String key, CustomResource<?, ?> own, ReadInPart part) {
        long weight = Weight.of(own.getSpec());
        long ofNamespace = ofNamespaces.getOrDefault(namespace(key), 0L) + weight;
        boolean tooManyInNamespace = ofNamespace > limitOfNamespace;
        if (tooManyInNamespace || all + weight > limit) {
            own.setSpec(null);
            part.readWithout(List.of(
                    "spec is not held in memory, because objects of kind %s would take more than %d MiB %s: delete some, or raise the memory limit of the manager, then change an annotation of this one"
                            .formatted(
                                    own.getKind(),
                                    (tooManyInNamespace ? limitOfNamespace : limit) >> 20,
                                    tooManyInNamespace
                                            ? "in namespace " + namespace(key)
                                            : "in all namespaces together")));
            return;
        }
        weights.put(key, weight);
        ofNamespaces.put(namespace(key), ofNamespace);
        all += weight;
    }

    private void release(String key) {
        Long weight = weights.remove(key);
        if (weight != null) {
            all -= weight;
            ofNamespaces.merge(namespace(key), -weight, Long::sum);
        }
    }

    private static String namespace(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? "" : key.substring(0, slash);
    }
}
