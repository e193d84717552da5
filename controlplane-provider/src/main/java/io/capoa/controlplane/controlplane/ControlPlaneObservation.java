package io.capoa.controlplane.controlplane;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.install.Workers;
import io.capoa.controlplane.machines.ScaleDown;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a reconcile rests its decisions on, read from caches once. Lists are in the order of names.
 *
 * @param cluster the Cluster that owns the control plane
 * @param machines Machines that the control plane controls, and orphans that carry its labels
 * @param infrastructure infrastructure machines by name of their Machine; {@code null} while they are not known yet
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
        @Nullable Map<String, GenericKubernetesResource> infrastructure,
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
        return ClusterView.of(cluster).isPaused()
                || (annotations != null && annotations.containsKey(Annotations.PAUSED));
    }

    /** How many Machines there are to be; where the spec does not say, as many as there are. */
    public int desiredReplicas() {
        Integer replicas = controlPlane().getSpec().replicas();
        return replicas == null ? machines.size() : replicas;
    }

    /** Whether an installation was ever complete: it stays so, also when its objects are gone. */
    public boolean installed() {
        return installState().completed()
                || PastInstallation.isRemembered(controlPlane().getStatus())
                || PastInstallation.isDeclared(deployment)
                || PastInstallation.isApparent(identity, installState(), machines, kubeconfig);
    }

    /** Whether what is installed is settled: changes of it come too late. */
    public boolean installStarted() {
        return installed() || installState().started();
    }

    public boolean installFailed() {
        return !installed() && installState().failed();
    }

    /**
     * Whether the installed API server has ever answered: that of this installation, not of an earlier one that failed and
     * is repeated.
     */
    public boolean initialized() {
        return wasInitialized() && installStarted() && !RetryStep.isDue(this);
    }

    /** Whether the status has it that an API server has answered, of whatever installation. */
    boolean wasInitialized() {
        OpenshiftAssistedControlPlaneStatus status = controlPlane().getStatus();
        return status != null
                && status.initialization() != null
                && Boolean.TRUE.equals(status.initialization().controlPlaneInitialized());
    }

    /**
     * Whether there is an etcd whose members matter: neither before an installation, also when an earlier one came as far
     * as an API server, nor when all of it goes.
     */
    public boolean hasEtcd() {
        return (installed() || (initialized() && installState().started() && !installFailed()))
                && cluster != null
                && cluster.getMetadata().getDeletionTimestamp() == null
                && controlPlane().getMetadata().getDeletionTimestamp() == null;
    }

    ScaleDown.Stage stage() {
        if (installed()) {
            return ScaleDown.Stage.AFTER;
        }
        return installState().started() && !installState().failed() ? ScaleDown.Stage.DURING : ScaleDown.Stage.BEFORE;
    }

    /** What the installation rests on and that is on its way out; it is made anew when it is gone. */
    public Optional<HasMetadata> goingInstallObject() {
        return Stream.<Optional<? extends HasMetadata>>of(Optional.ofNullable(deployment), Optional.ofNullable(install))
                .flatMap(Optional::stream)
                .filter(object -> object.getMetadata().getDeletionTimestamp() != null)
                .map(HasMetadata.class::cast)
                .findFirst();
    }

    public @Nullable GenericKubernetesResource infrastructureMachine(String machine) {
        return infrastructure == null ? null : infrastructure.get(machine);
    }

    /** The config of that name. */
    public Optional<OpenshiftAssistedConfig> config(String name) {
        return configs.stream()
                .filter(config -> name.equals(config.getMetadata().getName()))
                .findFirst();
    }
}
