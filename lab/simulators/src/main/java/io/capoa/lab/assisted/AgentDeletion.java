package io.capoa.lab.assisted;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Writes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Deletes the Node of a deleted Agent unless its cluster is being deleted, then removes the host. */
final class AgentDeletion {

    private static final String SKIP_CLEANUP = "agent.agent-install.openshift.io/skip-spoke-cleanup";

    private final Caches.Cache<ClusterDeployment> deployments;
    private final Caches.Cache<AgentClusterInstall> installs;
    private final Backend backend;
    private final Writes writes;
    private final Owned owned;
    private final InstalledClusterClient installed;

    AgentDeletion(Caches caches, Backend backend, Writes writes, InstalledClusterClient installed) {
        this.deployments = caches.of(ClusterDeployment.class);
        this.installs = caches.of(AgentClusterInstall.class);
        this.backend = backend;
        this.writes = writes;
        this.owned = new Owned(writes);
        this.installed = installed;
    }

    /** Throws {@link IOException}, and reports it on the Agent, if the cluster does not delete the Node. */
    void proceed(Agent agent, HostRecord host) throws IOException, InterruptedException {
        Key key = host.cluster;
        ClusterRecord cluster = key == null ? null : backend.cluster(key);
        Map<String, String> annotations = agent.getMetadata().getAnnotations();
        boolean skip = annotations != null && annotations.containsKey(SKIP_CLEANUP);
        boolean looksForNode = host.state.isInstalled()
                || backend.behaviour.of(host.agent.namespace()) == InfraEnvDeletion.AFTER_HOSTS;
        if (cluster != null && goesOn(cluster.key) && !skip && looksForNode) {
            try {
                installed.deleteNode(cluster, host.hostname());
            } catch (IOException e) {
                report(agent, host, e);
                throw e;
            }
        }
        backend.removeHost(host);
        owned.release(agent, Owned.AGENT_FINALIZER);
    }

    private boolean goesOn(Key cluster) {
        ClusterDeployment deployment = deployments.get(cluster);
        String name = deployment == null ? null : Fields.string(deployment, "spec", "clusterInstallRef", "name");
        AgentClusterInstall install = name == null ? null : installs.get(new Key(cluster.namespace(), name));
        return deployment != null && !Owned.isDeleting(deployment) && install != null && !Owned.isDeleting(install);
    }

    private void report(Agent agent, HostRecord host, IOException why) {
        List<ServiceCondition> conditions = new ArrayList<>(AgentConditions.of(host));
        conditions.add(ServiceCondition.no(
                "Cleanup", "CleanupFailed", "failed to clean spoke cluster resources: " + why.getMessage()));
        Map<String, Object> status = Map.of("conditions", host.published.conditions(conditions));
        if (host.published.differs(status)) {
            writes.patchStatus(agent, status);
            host.published.wrote(status);
        }
    }
}
