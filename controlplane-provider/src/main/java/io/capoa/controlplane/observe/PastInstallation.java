package io.capoa.controlplane.observe;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterDeploymentView;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a control plane was installed already, also when its installation has left no trace: {@code clusterctl move} and
 * a restore from a backup bring neither a status nor, mostly, what assisted-service installed from.
 */
public final class PastInstallation {

    private PastInstallation() {}

    /** Whether the status remembers that the installation was complete. */
    static boolean isRemembered(@Nullable OpenshiftAssistedControlPlaneStatus status) {
        boolean reported = status != null
                && status.distributionVersion() != null
                && !status.distributionVersion().isEmpty();
        return reported
                || told(status)
                        .filter(condition -> ControlPlaneConditions.INSTALL_COMPLETED.equals(condition.reason()))
                        .isPresent();
    }

    /** Whether the ClusterDeployment says so, as Hive and users do that import a cluster. */
    public static boolean isDeclared(@Nullable ClusterDeployment deployment) {
        return ClusterDeploymentView.of(deployment).isInstalled();
    }

    /**
     * Whether the cluster must be running although nothing reports it: there is its kubeconfig, and there are Machines,
     * whether or not all of them have been restored with the provider ID that they get when their nodes have joined. A
     * status that reports an installation outweighs this.
     */
    static boolean isApparent(
            ControlPlaneIdentity identity, InstallState state, List<Machine> machines, @Nullable Secret kubeconfig) {
        return isUnreported(identity, state, kubeconfig)
                && machines.stream().anyMatch(machine -> machine.getMetadata().getDeletionTimestamp() == null);
    }

    /** Whether a kubeconfig is all that is left of an installation: nothing may be installed in its place. */
    public static boolean isKubeconfigAlone(ControlPlaneObservation observation) {
        return !observation.installed()
                && isUnreported(observation.identity(), observation.installState(), observation.kubeconfig());
    }

    private static boolean isUnreported(
            ControlPlaneIdentity identity, InstallState state, @Nullable Secret kubeconfig) {
        return told(identity.controlPlane().getStatus()).isEmpty()
                && !state.started()
                && kubeconfig != null
                && !KubeconfigSecret.isForeign(identity, kubeconfig);
    }

    private static Optional<Condition> told(@Nullable OpenshiftAssistedControlPlaneStatus status) {
        List<Condition> conditions = status == null ? null : status.conditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(condition -> condition.type().equals(ControlPlaneConditions.INSTALL_SUCCEEDING))
                        .findFirst();
    }
}
