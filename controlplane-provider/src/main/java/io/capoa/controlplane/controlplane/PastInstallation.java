package io.capoa.controlplane.controlplane;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
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
final class PastInstallation {

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
    static boolean isDeclared(@Nullable ClusterDeployment deployment) {
        return deployment != null && Fields.isTrue(deployment, "spec", "installed");
    }

    /**
     * Whether the cluster must be running although nobody says so: there is a kubeconfig of ours, and every Machine has the
     * provider ID that it gets when its node has joined. A status that tells of an installation outweighs this.
     */
    static boolean isApparent(
            ControlPlaneIdentity identity, InstallState state, List<Machine> machines, @Nullable Secret kubeconfig) {
        List<Machine> staying = machines.stream()
                .filter(machine -> machine.getMetadata().getDeletionTimestamp() == null)
                .toList();
        return told(identity.controlPlane().getStatus()).isEmpty()
                && !state.started()
                && kubeconfig != null
                && !KubeconfigSecret.isForeign(identity, kubeconfig)
                && !staying.isEmpty()
                && staying.stream().allMatch(machine -> Fields.string(machine, "spec", "providerID") != null);
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
