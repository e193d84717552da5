package io.capoa.bootstrap.agent;

import io.capoa.api.Labels;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.ConditionView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and patches the fields of an Agent that make a discovered host the Machine's node. */
public final class AgentFields {

    /** Host states in which assisted-service still accepts changes of an Agent's spec. */
    private static final Set<String> OPEN_STATES = Set.of(
            "",
            "discovering",
            "discovering-unbound",
            "known",
            "known-unbound",
            "insufficient",
            "insufficient-unbound",
            "disconnected",
            "disconnected-unbound",
            "pending-for-input",
            "binding");

    /**
     * Cluster API removes a node from its cluster when its Machine is deleted. Without this annotation
     * assisted-service would do so whenever an Agent is deleted, and so empty a cluster that is moved to another management
     * cluster.
     */
    public static final String SKIP_SPOKE_CLEANUP = "agent.agent-install.openshift.io/skip-spoke-cleanup";

    private static final Map<String, Object> NODE_STAYS = Map.of("annotations", Map.of(SKIP_SPOKE_CLEANUP, "true"));

    private AgentFields() {}

    /**
     * Patch that approves the Agent; empty if nothing differs, or if its installation has started and nothing may change
     * any more. Keeps node labels of other writers.
     */
    public static Map<String, Object> patch(Agent agent, AgentSettings settings) {
        if (!isOpen(agent)) {
            return Map.of();
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        putIfOther(fields, agent, "role", settings.role());
        putIfOther(fields, agent, "hostname", settings.hostname());
        putIfOther(fields, agent, "ignitionConfigOverrides", settings.ignition());
        putIfOther(fields, agent, "installerArgs", settings.installerArgs());
        putIfOther(fields, agent, "machineConfigPool", settings.machineConfigPool());
        putIfOther(fields, agent, "installation_disk_id", settings.diskId());
        Map<String, Object> labels = new LinkedHashMap<>();
        Map<String, Object> present = AgentView.of(agent).nodeLabels();
        settings.nodeLabels().forEach((label, value) -> {
            if (!value.equals(present.get(label))) {
                labels.put(label, value);
            }
        });
        if (!labels.isEmpty()) {
            fields.put("nodeLabels", labels);
        }
        putIfOther(fields, agent, "approved", true);
        return fields.isEmpty() ? Map.of() : Map.of("metadata", NODE_STAYS, "spec", fields);
    }

    /** Patch that prevents assisted-service from removing the host's node from its cluster when the Agent is deleted. */
    public static Map<String, Object> nodeStays() {
        return Map.of("metadata", NODE_STAYS);
    }

    /** Name of the InfraEnv whose media the host has booted; {@code null} where the label is missing. */
    public static @Nullable String infraEnv(Agent agent) {
        Map<String, String> labels = agent.getMetadata().getLabels();
        return labels == null ? null : labels.get(Labels.INFRA_ENV);
    }

    /** Patch that withdraws the approval of a host that is not the Machine's. */
    public static Map<String, Object> withdrawal() {
        return Map.of("spec", Map.of("approved", false));
    }

    /** Whether assisted-service still accepts changes of the Agent's spec. */
    public static boolean isOpen(Agent agent) {
        return OPEN_STATES.contains(state(agent));
    }

    public static boolean isApproved(Agent agent) {
        return AgentView.of(agent).isApproved();
    }

    /** Whether the Agent is bound to another cluster than this ClusterDeployment: it is not the Machine's to change. */
    public static boolean isBoundElsewhere(Agent agent, String namespace, String deployment) {
        String name = AgentView.of(agent).clusterDeploymentName();
        String in = AgentView.of(agent).clusterDeploymentNamespace();
        return name != null
                && !(name.equals(deployment)
                        && (in == null ? agent.getMetadata().getNamespace() : in).equals(namespace));
    }

    /** Whether assisted-service has lost the host before its installation began. */
    public static boolean isDisconnected(Agent agent) {
        return state(agent).startsWith("disconnected")
                || (isOpen(agent)
                        && ConditionView.of(agent, "Connected")
                                .filter(connected -> connected.status().equals("False"))
                                .isPresent());
    }

    /** Why assisted-service rejects the Agent's spec; {@code null} if it accepts it. */
    public static @Nullable String refusal(Agent agent) {
        return ConditionView.of(agent, "SpecSynced")
                .filter(synced ->
                        synced.status().equals("False") && synced.reason().equals("InputError"))
                .map(ConditionView::message)
                .orElse(null);
    }

    private static String state(Agent agent) {
        return AgentView.of(agent).state();
    }

    private static void putIfOther(Map<String, Object> fields, Agent agent, String field, @Nullable Object wanted) {
        Object present = AgentView.of(agent).specField(field);
        boolean unset = present == null && "[]".equals(wanted);
        if (wanted != null && !unset && !wanted.equals(present)) {
            fields.put(field, wanted);
        }
    }
}
