package io.capoa.controlplane.controlplane;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.install.Workers;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that a reconcile rests its decisions on, read from caches once. Lists are in the order of names.
 *
 * @param cluster the Cluster that owns the control plane
 * @param machines Machines that the control plane controls
 * @param configs OpenshiftAssistedConfigs of the Cluster, those of workers included
 * @param imageSetName name of the ClusterImageSet that is installed from, whether it exists or not
 * @param workers what asks for workers of the Cluster
 * @param kubeconfig the Secret {@code <cluster>-kubeconfig}
 */
public record ControlPlaneObservation(
        ControlPlaneIdentity identity,
        @Nullable Cluster cluster,
        @Nullable ClusterDeployment deployment,
        @Nullable AgentClusterInstall install,
        String imageSetName,
        @Nullable ClusterImageSet imageSet,
        List<Machine> machines,
        List<OpenshiftAssistedConfig> configs,
        Workers workers,
        @Nullable Secret kubeconfig) {

    public OpenshiftAssistedControlPlane controlPlane() {
        return identity.controlPlane();
    }

    public InstallState installState() {
        return InstallState.of(install);
    }

    /** Whether reconciliation is stopped, by the Cluster or by an annotation of the control plane. */
    public boolean paused() {
        var annotations = controlPlane().getMetadata().getAnnotations();
        return (cluster != null && Fields.isTrue(cluster, "spec", "paused"))
                || (annotations != null && annotations.containsKey(Annotations.PAUSED));
    }

    public int desiredReplicas() {
        Integer replicas = controlPlane().getSpec().replicas();
        return replicas == null ? 0 : replicas;
    }

    /** The config of that name. */
    public Optional<OpenshiftAssistedConfig> config(String name) {
        return configs.stream()
                .filter(config -> name.equals(config.getMetadata().getName()))
                .findFirst();
    }
}
