package io.capoa.lab.core;

import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects of infrastructure, bootstrap and control plane providers, with an informer per kind from its first reference
 * on.
 */
final class Externals {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private record GroupKind(String group, String kind) {}

    private record Watched(ResourceDefinitionContext context, Caches.Cache<GenericKubernetesResource> cache) {}

    private final KubernetesClient client;
    private final Caches caches;
    private final Map<GroupKind, Watched> watched = new HashMap<>();
    private final List<Consumer<GenericKubernetesResource>> listeners = new CopyOnWriteArrayList<>();

    Externals(KubernetesClient client, Caches caches) {
        this.client = client;
        this.caches = caches;
    }

    /** Calls the listener with every object of a referenced kind that is added, changed or deleted. */
    void onChange(Consumer<GenericKubernetesResource> listener) {
        listeners.add(listener);
    }

    /** The cached object, or {@code null}. */
    @Nullable
    GenericKubernetesResource get(Reference to) {
        return watched(to).cache.get(new Key(to.namespace(), to.name()));
    }

    /** The object, cached or else by a request: an object whose event is late is not gone. */
    @Nullable
    GenericKubernetesResource find(Reference to) {
        GenericKubernetesResource cached = get(to);
        return cached != null ? cached : read(to);
    }

    private @Nullable GenericKubernetesResource read(Reference to) {
        return client.genericKubernetesResources(watched(to).context)
                .inNamespace(to.namespace())
                .withName(to.name())
                .get();
    }

    /** Writes the differences outside the status. */
    void write(WorkingCopy<GenericKubernetesResource> working, Reference to) {
        Map<String, Object> change = working.change();
        if (!change.isEmpty()) {
            Watched kind = watched(to);
            kind.cache.wrote(client.genericKubernetesResources(kind.context)
                    .resource(working.read())
                    .patch(MERGE, client.getKubernetesSerialization().asJson(change)));
        }
    }

    /**
     * Creates the object unless it exists; sets its version.
     *
     * @throws IllegalStateException if it exists and belongs to an earlier Machine, with which it may be deleted
     */
    void create(Reference to, GenericKubernetesResource desired) {
        ResourceDefinitionContext context = watched(to).context;
        desired.setApiVersion(context.getGroup() + "/" + context.getVersion());
        desired.setKind(to.kind());
        try {
            client.genericKubernetesResources(context).resource(desired).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            GenericKubernetesResource existing = read(to);
            if (existing == null || Contract.isDeleting(existing) || Contract.controllerOf(existing) != null) {
                throw new IllegalStateException(to.kind() + " " + to.name() + " of an earlier Machine is still there");
            }
        }
    }

    void delete(Reference to) {
        client.genericKubernetesResources(watched(to).context)
                .inNamespace(to.namespace())
                .withName(to.name())
                .delete();
    }

    private Watched watched(Reference to) {
        synchronized (watched) {
            return watched.computeIfAbsent(new GroupKind(to.apiGroup(), to.kind()), kind -> {
                ResourceDefinitionContext context = ContractVersion.of(client, kind.group, kind.kind);
                Caches.Cache<GenericKubernetesResource> cache = caches.open(context);
                cache.onChange(r -> listeners.forEach(l -> l.accept(r)));
                return new Watched(context, cache);
            });
        }
    }
}
