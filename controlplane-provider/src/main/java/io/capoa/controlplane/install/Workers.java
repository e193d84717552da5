package io.capoa.controlplane.install;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineDeployment;
import java.util.Collection;

/** Counts the worker hosts that are installed together with the control plane. */
final class Workers {

    private Workers() {}

    /**
     * Replicas of the MachineDeployments of one Cluster in one namespace. Absent replicas are 1, as Cluster API takes
     * them.
     */
    static int of(String clusterName, String namespace, Collection<MachineDeployment> deployments) {
        return deployments.stream()
                .filter(deployment -> namespace.equals(deployment.getMetadata().getNamespace()))
                .filter(deployment -> clusterName.equals(Fields.string(deployment, "spec", "clusterName")))
                .filter(deployment -> deployment.getMetadata().getDeletionTimestamp() == null)
                .mapToInt(Workers::replicas)
                .sum();
    }

    private static int replicas(MachineDeployment deployment) {
        Integer replicas = Fields.integer(deployment, "spec", "replicas");
        return replicas == null ? 1 : replicas;
    }
}
