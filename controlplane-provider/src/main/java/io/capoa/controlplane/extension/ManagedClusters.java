package io.capoa.controlplane.extension;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.release.KubernetesVersion;
import java.util.Optional;

/** The Clusters of OpenshiftAssistedControlPlanes, as hooks need them. */
interface ManagedClusters {

    /**
     * Reference to the OpenshiftAssistedControlPlane of a Cluster; empty if there is no such Cluster, or its control
     * plane is of another kind.
     *
     * @throws InvalidRequest if this manager does not watch the namespace: a "no" would reinstall hosts
     */
    Optional<ContractReference> controlPlaneOf(String namespace, String cluster) throws InvalidRequest;

    /** The oldest version that the nodes of a control plane run; empty if none has reported. */
    Optional<KubernetesVersion> version(String namespace, ContractReference controlPlane);

    Optional<Machine> machine(String namespace, String name);

    /** Kubeconfig of a Cluster, base64; empty while there is none. */
    Optional<String> kubeconfig(String namespace, String cluster);
}
