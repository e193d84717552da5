package io.capoa.controlplane.observe;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Machine;

/** Fixture: objects as the caches keep them. A decision that reads what they drop fails in its test. */
public final class CachedObjects {

    private CachedObjects() {}

    /** Prunes an object of a kind that is watched; returns its argument. */
    public static <T> T pruned(T object) {
        switch (object) {
            case Cluster cluster -> PeerPruning.cluster(cluster);
            case Machine machine -> PeerPruning.machine(machine);
            case ClusterDeployment deployment -> PeerPruning.specOnly(deployment);
            case AgentClusterInstall install -> PeerPruning.install(install);
            case OpenshiftAssistedConfig config -> PeerPruning.config(config);
            default -> {}
        }
        return object;
    }

    /** The same of a Machine that no control plane made: another informer caches it. */
    public static Machine prunedWorker(Machine machine) {
        return PeerPruning.specOnly(machine);
    }
}
