package io.capoa.controlplane.observe;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterDeploymentView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.machines.Machines;
import io.capoa.runtime.status.ReportedConditions;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a control plane has been installed, even without install objects: {@code clusterctl move} and a restore
 * from a backup bring no status and often no install objects.
 */
public final class PastInstallation {

    private PastInstallation() {}

    /** Whether the status reports a completed installation. */
    static boolean isRemembered(@Nullable OpenshiftAssistedControlPlaneStatus status) {
        boolean reported = status != null
                && status.distributionVersion() != null
                && !status.distributionVersion().isEmpty();
        return reported
                || installSucceeding(status)
                        .filter(condition -> ControlPlaneConditions.INSTALL_COMPLETED.equals(condition.reason()))
                        .isPresent();
    }

    /** Whether the ClusterDeployment declares the cluster installed, as Hive and users do on import. */
    public static boolean isDeclared(@Nullable ClusterDeployment deployment) {
        return ClusterDeploymentView.of(deployment).isInstalled();
    }

    /**
     * Whether a kubeconfig and Machines exist, so that the cluster must be running although nothing reports it.
     * Restored Machines may lack their provider ID. A status that reports an installation takes precedence.
     */
    static boolean isApparent(
            ControlPlaneIdentity identity, InstallState state, Machines machines, @Nullable Secret kubeconfig) {
        return isUnreported(identity, state, kubeconfig) && !machines.staying().isEmpty();
    }

    /** Whether a cluster is certainly not installed, because all that would show it says otherwise. */
    static boolean isMissing(
            @Nullable OpenshiftAssistedControlPlaneStatus status,
            @Nullable AgentClusterInstall install,
            @Nullable ClusterDeployment deployment) {
        return installSucceeding(status).isPresent()
                && !isRemembered(status)
                && !InstallState.of(install).completed()
                && !isDeclared(deployment);
    }

    /** Whether only a kubeconfig is left of an installation: a new installation must not replace it. */
    public static boolean isKubeconfigAlone(ControlPlaneObservation observation) {
        return !observation.installed()
                && isUnreported(observation.identity(), observation.installState(), observation.kubeconfig());
    }

    private static boolean isUnreported(
            ControlPlaneIdentity identity, InstallState state, @Nullable Secret kubeconfig) {
        return installSucceeding(identity.controlPlane().getStatus()).isEmpty()
                && !state.started()
                && kubeconfig != null
                && !KubeconfigSecret.isForeign(identity, kubeconfig);
    }

    private static Optional<Condition> installSucceeding(@Nullable OpenshiftAssistedControlPlaneStatus status) {
        return ReportedConditions.in(status).get(ControlPlaneConditions.INSTALL_SUCCEEDING);
    }
}
