package io.capoa.controlplane.observe;

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
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.machines.UpToDate;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The input of a reconcile's decisions: a snapshot of the caches. Lists are sorted by name.
 *
 * @param cluster the Cluster that owns the control plane
 * @param imageSetName name of the ClusterImageSet that the installation uses, whether it exists or not
 * @param kubeconfig the Secret {@code <cluster>-kubeconfig}
 * @param machines Machines that the control plane controls, and orphans that carry its labels
 * @param infrastructure infrastructure machines by name of their Machine; {@code null} while their cache is not synced
 * @param configs OpenshiftAssistedConfigs of the Cluster, those of workers included
 * @param workers MachineDeployments, MachineSets and standalone Machines of the Cluster
 */
public record ControlPlaneObservation(
        ControlPlaneIdentity identity,
        @Nullable Cluster cluster,
        @Nullable ClusterDeployment deployment,
        @Nullable AgentClusterInstall install,
        String imageSetName,
        @Nullable ClusterImageSet imageSet,
        @Nullable Secret kubeconfig,
        Machines machines,
        @Nullable Map<String, GenericKubernetesResource> infrastructure,
        List<OpenshiftAssistedConfig> configs,
        Workers workers) {

    public OpenshiftAssistedControlPlane controlPlane() {
        return identity.controlPlane();
    }

    public InstallState installState() {
        return InstallState.of(install());
    }

    /** Whether reconciliation is paused, by the Cluster or by an annotation of the control plane. */
    public boolean paused() {
        return ClusterView.of(cluster).isPaused() || Annotations.has(controlPlane(), Annotations.PAUSED);
    }

    /** {@code spec.replicas}; if absent, the number of existing Machines. What is deleted may lack all of its spec. */
    public int desiredReplicas() {
        var spec = controlPlane().getSpec();
        Integer replicas = spec == null ? null : spec.replicas();
        return replicas == null ? machines().size() : replicas;
    }

    /** Whether an installation has ever completed; stays true after its objects are deleted. */
    public boolean installed() {
        return installState().completed()
                || PastInstallation.isRemembered(controlPlane().getStatus())
                || PastInstallation.isDeclared(deployment())
                || PastInstallation.isApparent(identity, installState(), machines(), kubeconfig());
    }

    /** Whether the installation has started, so that assisted-service ignores later changes of the install objects. */
    public boolean installStarted() {
        return installed() || installState().started();
    }

    public boolean installFailed() {
        return !installed() && installState().failed();
    }

    /** Whether the user has requested a retry of the failed installation that has not begun. */
    public boolean retryDue() {
        return installFailed() && RetryRequest.isDue(identity, install());
    }

    /** Whether the API server of the current installation has ever answered; a failed earlier one does not count. */
    public boolean initialized() {
        return wasInitialized() && installStarted() && !retryDue();
    }

    /** Whether the status says that an API server has answered, of whichever installation. */
    public boolean wasInitialized() {
        OpenshiftAssistedControlPlaneStatus status = controlPlane().getStatus();
        return status != null
                && status.initialization() != null
                && Boolean.TRUE.equals(status.initialization().controlPlaneInitialized());
    }

    /**
     * Whether etcd must be kept healthy: not before an installation, not of a failed one, and not while the whole cluster
     * is being deleted.
     */
    public boolean hasEtcd() {
        return (installed() || (initialized() && installState().started() && !installFailed()))
                && cluster != null
                && !cluster.isMarkedForDeletion()
                && !controlPlane().isMarkedForDeletion();
    }

    public Stage stage() {
        if (installed()) {
            return Stage.AFTER;
        }
        return installState().started() && !installState().failed() ? Stage.DURING : Stage.BEFORE;
    }

    /** The ClusterDeployment or AgentClusterInstall if it is being deleted; it is recreated after deletion. */
    public Optional<HasMetadata> deletingInstallObject() {
        return Stream.<Optional<? extends HasMetadata>>of(
                        Optional.ofNullable(deployment()), Optional.ofNullable(install()))
                .flatMap(Optional::stream)
                .filter(HasMetadata::isMarkedForDeletion)
                .map(HasMetadata.class::cast)
                .findFirst();
    }

    /** How Machines differ from the spec, by name; those that are up to date are absent. */
    public SortedMap<String, List<String>> differences(Instant now) {
        SortedMap<String, List<String>> differences = new TreeMap<>();
        for (Machine machine : machines()) {
            String name = machine.getMetadata().getName();
            List<String> found = UpToDate.differences(
                    identity, machine, config(name).orElse(null), infrastructureMachine(name), now);
            if (!found.isEmpty()) {
                differences.put(name, found);
            }
        }
        return differences;
    }

    /** The infrastructure machine of the Machine of that name. */
    public @Nullable GenericKubernetesResource infrastructureMachine(String machine) {
        Map<String, GenericKubernetesResource> all = infrastructure();
        return all == null ? null : all.get(machine);
    }

    /** The config of that name. */
    public Optional<OpenshiftAssistedConfig> config(String name) {
        return configs().stream()
                .filter(config -> name.equals(config.getMetadata().getName()))
                .findFirst();
    }
}
