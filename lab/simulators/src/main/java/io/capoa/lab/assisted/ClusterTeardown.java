package io.capoa.lab.assisted;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.workload.WorkloadClusters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes what belongs to a deleted ClusterDeployment: AgentClusterInstall, Agents, and an unfinished installation. */
final class ClusterTeardown {

    private final Caches.Cache<Agent> agents;
    private final Backend backend;
    private final Writes writes;
    private final Owned owned;
    private final WorkloadClusters workloads;

    ClusterTeardown(Caches caches, Backend backend, Writes writes, WorkloadClusters workloads) {
        this.agents = caches.of(Agent.class);
        this.backend = backend;
        this.writes = writes;
        this.owned = new Owned(writes);
        this.workloads = workloads;
    }

    /** Runs the next step; installed hosts keep running. */
    void proceed(Key key, @Nullable ClusterDeployment deployment, @Nullable AgentClusterInstall install) {
        if (deployment == null) {
            ClusterRecord gone = backend.cluster(key);
            if (gone != null) {
                backend.removeCluster(key);
            }
            return;
        }
        if (install != null && !Owned.isDeleting(install)) {
            writes.delete(install);
        }
        List<Agent> bound = agents.list()
                .filter(a -> key.equals(AssistedServiceSimulator.clusterOf(a).orElse(null)))
                .toList();
        bound.stream().filter(a -> !Owned.isDeleting(a)).forEach(writes::delete);
        if (!bound.isEmpty()) {
            return;
        }
        ClusterRecord cluster = backend.cluster(key);
        if (cluster != null && cluster.state != ClusterState.ADDING_HOSTS) {
            workloads.remove(cluster.id);
        }
        backend.removeCluster(key);
        if (install != null) {
            owned.release(install, Owned.INSTALL_FINALIZER);
        }
        owned.release(deployment, Owned.CLUSTER_FINALIZER);
    }
}
