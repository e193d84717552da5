package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Informers of Secrets, ConfigMaps and ServiceAccounts in the namespaces of this node's pods. */
final class Sources implements AutoCloseable {

    private record Watched(
            SharedIndexInformer<Secret> secrets,
            SharedIndexInformer<ConfigMap> configMaps,
            SharedIndexInformer<ServiceAccount> accounts) {

        List<SharedIndexInformer<?>> all() {
            return List.of(secrets, configMaps, accounts);
        }
    }

    private final KubernetesClient client;
    private final Consumer<String> changed;
    private final Map<String, Watched> namespaces = new ConcurrentHashMap<>();

    /** @param changed receives the namespace of a changed object */
    Sources(KubernetesClient client, Consumer<String> changed) {
        this.client = client;
        this.changed = changed;
    }

    Optional<Secret> secret(String namespace, String name) {
        return Optional.ofNullable(of(namespace).secrets().getStore().getByKey(namespace + "/" + name));
    }

    Optional<ConfigMap> configMap(String namespace, String name) {
        return Optional.ofNullable(of(namespace).configMaps().getStore().getByKey(namespace + "/" + name));
    }

    boolean hasAccount(String namespace, String name) {
        return of(namespace).accounts().getStore().getByKey(namespace + "/" + name) != null;
    }

    private Watched of(String namespace) {
        return namespaces.computeIfAbsent(namespace, this::watch);
    }

    private Watched watch(String namespace) {
        Watched watched = new Watched(
                telling(namespace, client.secrets().inNamespace(namespace).runnableInformer(0)),
                telling(namespace, client.configMaps().inNamespace(namespace).runnableInformer(0)),
                telling(
                        namespace,
                        client.serviceAccounts().inNamespace(namespace).runnableInformer(0)));
        watched.all().stream()
                .map(informer -> informer.start().toCompletableFuture())
                .toList()
                .forEach(java.util.concurrent.CompletableFuture::join);
        return watched;
    }

    private <R extends HasMetadata> SharedIndexInformer<R> telling(String namespace, SharedIndexInformer<R> informer) {
        return informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(R added) {
                changed.accept(namespace);
            }

            @Override
            public void onUpdate(R before, R after) {
                changed.accept(namespace);
            }

            @Override
            public void onDelete(R deleted, boolean stateUnknown) {
                changed.accept(namespace);
            }
        });
    }

    @Override
    public void close() {
        namespaces.values().forEach(watched -> watched.all().forEach(SharedIndexInformer::stop));
    }
}
