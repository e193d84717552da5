package io.capoa.controlplane.extension;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.options.WatchScope;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/**
 * Reads Clusters of OpenshiftAssistedControlPlanes from the API server. Hooks are called rarely and on every replica;
 * the caches of the reconcilers exist on the leader alone.
 */
final class LiveClusters implements ManagedClusters {

    private final KubernetesClient client;
    private final WatchScope scope;

    LiveClusters(KubernetesClient client, WatchScope scope) {
        this.client = client;
        this.scope = scope;
    }

    @Override
    public Optional<ContractReference> controlPlaneOf(String namespace, String cluster) throws InvalidRequest {
        if (!scope.includes(namespace)) {
            throw new InvalidRequest("namespace " + namespace
                    + " is not watched by this manager: leave it out of spec.namespaceSelector of the ExtensionConfig");
        }
        return read(Cluster.class, namespace, cluster)
                .map(object -> ClusterView.of(object).controlPlaneRef())
                .filter(reference -> reference.isTo(
                        HasMetadata.getGroup(OpenshiftAssistedControlPlane.class),
                        HasMetadata.getKind(OpenshiftAssistedControlPlane.class)));
    }

    @Override
    public Optional<KubernetesVersion> version(String namespace, ContractReference controlPlane) {
        String name = controlPlane.name();
        return name == null
                ? Optional.empty()
                : read(OpenshiftAssistedControlPlane.class, namespace, name)
                        .map(OpenshiftAssistedControlPlane::getStatus)
                        .map(status -> status.versions())
                        .filter(versions -> !versions.isEmpty())
                        .flatMap(versions ->
                                KubernetesVersion.parse(versions.getFirst().version()));
    }

    @Override
    public Optional<Machine> machine(String namespace, String name) {
        return read(Machine.class, namespace, name);
    }

    @Override
    public Optional<String> kubeconfig(String namespace, String cluster) {
        Secret secret = ByName.select(client.secrets().inNamespace(namespace), KubeconfigSecret.name(cluster))
                .get();
        return Optional.ofNullable(secret)
                .map(Secret::getData)
                .map(data -> data.get(KubeconfigSecret.KEY))
                .filter(content -> !content.isEmpty());
    }

    /** Reads by a list with a field selector: the right to watch includes it, a get would need another right. */
    private <R extends HasMetadata> Optional<R> read(Class<R> kind, String namespace, String name) {
        return client.resources(kind).inNamespace(namespace).withField("metadata.name", name).list().getItems().stream()
                .findFirst();
    }
}
