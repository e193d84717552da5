package io.capoa.runtime.watch;

import io.capoa.api.ReadInPart;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Cache of a kind, whose objects tenants can make as long and as many as the API server allows. Of an object for which
 * there is no {@link CacheRoom} it keeps the metadata: one of an own kind says so ({@link ReadInPart}), and has its status
 * too; of the kinds of others nothing is decided in that namespace ({@link EventSources#requireHeld}).
 */
public final class LimitedStore<R extends HasMetadata> extends BasicItemStore<R> {

    /** Longest metadata of which labels, owners and finalizers are kept where there is no room, in bytes. */
    private static final long METADATA = 4 << 10;

    private final UnaryOperator<R> kept;
    private final boolean pruned;
    private final CacheRoom room;
    private final Map<String, Long> weights = new HashMap<>();

    /** Why an object is not held, by its key. */
    private final Map<String, String> notHeld = new HashMap<>();

    private LimitedStore(UnaryOperator<R> kept, boolean pruned, CacheRoom room) {
        super(Cache::metaNamespaceKeyFunc);
        this.kept = kept;
        this.pruned = pruned;
        this.room = room;
    }

    /** Holds whole objects of an own kind. */
    public static <R extends HasMetadata> LimitedStore<R> whole() {
        return whole(CacheRoom.ofOwnKind());
    }

    static <R extends HasMetadata> LimitedStore<R> whole(CacheRoom room) {
        return new LimitedStore<>(UnaryOperator.identity(), false, room);
    }

    /**
     * Holds parts of objects.
     *
     * @param kept what is held of an object; may change its argument
     * @param room that stores share
     */
    public static <R extends HasMetadata> LimitedStore<R> pruned(UnaryOperator<R> kept, CacheRoom room) {
        return new LimitedStore<>(kept, true, room);
    }

    @Override
    public boolean isFullState() {
        return !pruned;
    }

    @Override
    public synchronized @Nullable R put(String key, R object) {
        R held = kept.apply(object);
        release(key);
        String namespace = namespace(key);
        long weight = held instanceof CustomResource<?, ?> own ? Weight.of(own.getSpec()) : Weight.of(held);
        if (room.take(namespace, weight)) {
            weights.put(key, weight);
        } else if (held instanceof CustomResource<?, ?> own && own instanceof ReadInPart part) {
            own.setSpec(null);
            part.readWithout(List.of(
                    "spec is not held in memory, because objects of kind %s would take more than %s: delete some, or raise the memory limit of the manager, then change an annotation of this one"
                            .formatted(own.getKind(), room.exceeded(namespace, weight))));
        } else {
            notHeld.put(
                    key,
                    "%s %s is not held in memory, because what is read of the objects of other products would take more than %s: delete what is not needed, or raise the memory limit of the manager, then change an annotation of what is left"
                            .formatted(held.getKind(), key, room.exceeded(namespace, weight)));
            strip(held);
        }
        return super.put(key, held);
    }

    @Override
    public synchronized @Nullable R remove(String key) {
        release(key);
        return super.remove(key);
    }

    /** Why one of the objects of a namespace is not held, if there is such a one; empty for own kinds, which say it. */
    public synchronized Optional<String> notHeldIn(String namespace) {
        return notHeld.isEmpty()
                ? Optional.empty()
                : notHeld.entrySet().stream()
                        .filter(object -> namespace(object.getKey()).equals(namespace))
                        .map(Map.Entry::getValue)
                        .findFirst();
    }

    private void release(String key) {
        notHeld.remove(key);
        Long weight = weights.remove(key);
        if (weight != null) {
            room.giveBack(namespace(key), weight);
        }
    }

    private static void strip(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        metadata.setAnnotations(Map.of());
        metadata.setManagedFields(List.of());
        if (Weight.of(metadata) > METADATA) {
            metadata.setLabels(Map.of());
            metadata.setOwnerReferences(List.of());
            metadata.setFinalizers(List.of());
        }
        switch (object) {
            case GenericKubernetesResource generic -> generic.setAdditionalProperties(new HashMap<>());
            case Secret secret -> {
                secret.setData(null);
                secret.setStringData(null);
            }
            default -> {}
        }
    }

    private static String namespace(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? "" : key.substring(0, slash);
    }
}
