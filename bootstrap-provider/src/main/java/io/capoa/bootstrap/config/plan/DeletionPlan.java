package io.capoa.bootstrap.config.plan;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.InfraEnvView;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.agent.HostReport;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides which of a config's objects in assisted-service are deleted next, and what the deletion waits for.
 *
 * <p>Agents go before their InfraEnv. Older releases of assisted-service keep an InfraEnv while one of its hosts is
 * bound to a cluster and not installed. Such a binding otherwise ends with the ClusterDeployment, which is deleted
 * with the control plane, which waits for the workers and so for this config: a Cluster whose installation cannot
 * start could never be deleted. The infrastructure machine, and with it the host's power, is gone before the config
 * (Cluster API deletes a Machine in that order), so the host does not register again.
 *
 * @param agents lose their host in assisted-service; may be on their way out already
 * @param infraEnvs to delete, once they have no Agents
 * @param waitingFor what is waited for; empty when nothing is left
 */
public record DeletionPlan(List<Agent> agents, List<InfraEnv> infraEnvs, Optional<String> waitingFor) {

    /** By which assisted-service holds an Agent that stands for a host of its database. */
    private static final String AGENT_FINALIZER = "agent.agent-install.openshift.io/ai-deprovision";

    private static final String IF_IT_LASTS = "; if this lasts, check that assisted-service runs";

    /**
     * The plan.
     *
     * @param infraEnvs those of the config
     * @param agents those with the label of one of them, or of the config's Machine when there is none any more
     */
    public static DeletionPlan of(List<InfraEnv> infraEnvs, List<Agent> agents) {
        if (infraEnvs.isEmpty()) {
            List<Agent> leaving =
                    agents.stream().filter(DeletionPlan::isLeaving).toList();
            return new DeletionPlan(
                    List.of(), List.of(), leaving.isEmpty() ? Optional.empty() : Optional.of(release(leaving)));
        }
        Set<String> uids = infraEnvs.stream()
                .map(infraEnv -> infraEnv.getMetadata().getUid())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        Map<String, InfraEnv> byName = infraEnvs.stream()
                .collect(Collectors.toMap(infraEnv -> infraEnv.getMetadata().getName(), Function.identity()));
        List<Agent> hosts = agents.stream()
                .filter(agent -> isHost(agent, uids) && !isBoundElsewhere(agent, byName))
                .toList();
        return hosts.isEmpty()
                ? new DeletionPlan(List.of(), infraEnvs, Optional.of(release(infraEnvs, agents, byName)))
                : new DeletionPlan(hosts, List.of(), Optional.of(release(hosts)));
    }

    /** Whether assisted-service created the Agent for a host; an Agent that a user created is not deleted. */
    private static boolean isHost(Agent agent, Set<String> infraEnvs) {
        return agent.getMetadata().getFinalizers().contains(AGENT_FINALIZER)
                || agent.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> infraEnvs.contains(owner.getUid()));
    }

    /** Whether a user has bound the host to another cluster than its InfraEnv's. */
    private static boolean isBoundElsewhere(Agent agent, Map<String, InfraEnv> byName) {
        InfraEnv infraEnv = byName.get(AgentFields.infraEnv(agent));
        String bound = AgentView.of(agent).clusterDeploymentName();
        if (infraEnv == null || bound == null) {
            return false;
        }
        return !bound.equals(InfraEnvView.of(infraEnv).clusterName())
                || !Objects.equals(
                        AgentView.of(agent).clusterDeploymentNamespace(),
                        InfraEnvView.of(infraEnv).clusterNamespace());
    }

    /** Whether the Agent is deleted with its InfraEnv; the plan does not wait for others. */
    private static boolean isLeaving(Agent agent) {
        return agent.getMetadata().getDeletionTimestamp() != null
                || agent.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getKind().equals(HasMetadata.getKind(InfraEnv.class)));
    }

    private static String release(List<Agent> agents) {
        return "assisted-service to release Agent "
                + agents.stream()
                        .map(agent -> agent.getMetadata().getName() + cleanup(agent))
                        .sorted()
                        .collect(Collectors.joining(", "))
                + IF_IT_LASTS;
    }

    /** Why assisted-service cannot remove the host's node from its cluster, if it reports that. */
    private static String cleanup(Agent agent) {
        return ConditionView.of(agent, "Cleanup")
                .filter(condition -> condition.status().equals("False"))
                .map(condition -> " (" + HostReport.withoutTokens(condition.message()) + ")")
                .orElse("");
    }

    private static String release(List<InfraEnv> infraEnvs, List<Agent> agents, Map<String, InfraEnv> byName) {
        String elsewhere = agents.stream()
                .filter(agent -> isBoundElsewhere(agent, byName))
                .map(agent -> "; Agent %s is bound to ClusterDeployment %s"
                        .formatted(
                                agent.getMetadata().getName(),
                                AgentView.of(agent).clusterDeploymentName()))
                .sorted()
                .collect(Collectors.joining());
        return "assisted-service to release InfraEnv "
                + infraEnvs.stream()
                        .map(infraEnv -> infraEnv.getMetadata().getName())
                        .sorted()
                        .collect(Collectors.joining(", "))
                + elsewhere
                + IF_IT_LASTS;
    }
}
