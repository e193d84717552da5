package io.capoa.controlplane.observe;

import io.capoa.api.Labels;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Secondary-to-primary mappers and index keys: find the control plane or Cluster of an object by owner, label or name.
 */
final class ControlPlaneMappers {

    private ControlPlaneMappers() {}

    /** Name of the Cluster among a control plane's owners. */
    static @Nullable String clusterName(OpenshiftAssistedControlPlane controlPlane) {
        return controlPlane.getMetadata().getOwnerReferences().stream()
                .filter(owner -> isKind(owner, Cluster.class))
                .map(OwnerReference::getName)
                .findFirst()
                .orElse(null);
    }

    /** Index key of a Cluster in the object's namespace. */
    static List<String> scopedIn(HasMetadata object, List<String> clusterNames) {
        return clusterNames.stream()
                .map(name -> scoped(object.getMetadata().getNamespace(), name))
                .toList();
    }

    static boolean standsAlone(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .noneMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    }

    static List<String> clusterLabel(HasMetadata object) {
        String name = Labels.value(object, Labels.CLUSTER_NAME);
        return name == null ? List.of() : List.of(name);
    }

    static List<String> scopedClusterLabel(HasMetadata object) {
        return scopedIn(object, clusterLabel(object));
    }

    static String scoped(String namespace, String name) {
        return namespace + "/" + name;
    }

    static Set<ResourceID> sameName(HasMetadata object) {
        return Set.of(ResourceID.fromResource(object));
    }

    /** A Machine without a controller, as after a restore from a backup, that has the control plane's labels. */
    static boolean isOrphan(ControlPlaneIdentity identity, Machine machine) {
        return machine.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> Boolean.TRUE.equals(owner.getController()))
                && identity.labelled(machine);
    }

    static Set<ResourceID> ownersOrLabelled(HasMetadata object) {
        Set<ResourceID> owners = owners(object);
        return owners.isEmpty() ? labelled(object) : owners;
    }

    static Set<ResourceID> labelled(HasMetadata object) {
        String name = Labels.value(object, Labels.CONTROL_PLANE_NAME);
        return name == null
                ? Set.of()
                : Set.of(new ResourceID(name, object.getMetadata().getNamespace()));
    }

    static Set<ResourceID> owners(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> isKind(owner, OpenshiftAssistedControlPlane.class))
                .map(owner ->
                        new ResourceID(owner.getName(), object.getMetadata().getNamespace()))
                .collect(Collectors.toSet());
    }

    /** assisted-service's Secrets are owned by the ClusterDeployment, which has the control plane's name. */
    static Set<ResourceID> clusterDeployment(Secret secret) {
        return secret.getMetadata().getOwnerReferences().stream()
                .filter(owner -> isKind(owner, ClusterDeployment.class))
                .map(owner ->
                        new ResourceID(owner.getName(), secret.getMetadata().getNamespace()))
                .collect(Collectors.toSet());
    }

    static boolean isKind(OwnerReference owner, Class<? extends HasMetadata> kind) {
        return HasMetadata.getKind(kind).equals(owner.getKind())
                && owner.getApiVersion().startsWith(HasMetadata.getGroup(kind) + "/");
    }

    static boolean isKubeconfig(Secret secret) {
        return clusterLabel(secret).stream()
                .anyMatch(cluster -> KubeconfigSecret.name(cluster)
                        .equals(secret.getMetadata().getName()));
    }

    static Secret onlyKubeconfig(Secret secret) {
        return keep(secret, isKubeconfig(secret) ? KubeconfigSecret.KEY : null);
    }

    static Secret onlySource(Secret secret) {
        return keep(secret, KubeconfigSecret.SOURCE_KEY);
    }

    /** Limits what the cache holds of a Secret that a tenant has labelled: one key, empty if its value is too long. */
    private static Secret keep(Secret secret, @Nullable String key) {
        String content = key == null || secret.getData() == null
                ? null
                : secret.getData().get(key);
        secret.setData(
                key == null || content == null
                        ? Map.of()
                        : Map.of(key, KubeconfigSecret.isTooLong(content) ? "" : content));
        return secret;
    }
}
