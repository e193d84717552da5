package io.capoa.api.contract;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read view of an Agent, assisted-service's record of a discovered host. */
public record AgentView(Agent object) implements ObjectView {

    /** The view; an absent Agent reads as an empty one. */
    public static AgentView of(@Nullable Agent agent) {
        return new AgentView(Objects.requireNonNullElseGet(agent, Agent::new));
    }

    public boolean isApproved() {
        return Fields.isTrue(object, "spec", "approved");
    }

    /** A field of the spec, of any type; {@code null} if absent. */
    public @Nullable Object specField(String name) {
        return Fields.any(object, "spec", name);
    }

    /** Labels for the host's Node. */
    public Map<String, Object> nodeLabels() {
        return Fields.map(object, "spec", "nodeLabels");
    }

    /** Name of the ClusterDeployment that the host is bound to; {@code null} if unbound. */
    public @Nullable String clusterDeploymentName() {
        return Fields.string(object, "spec", "clusterDeploymentName", "name");
    }

    /** Namespace of that ClusterDeployment; {@code null} means the Agent's own. */
    public @Nullable String clusterDeploymentNamespace() {
        return Fields.string(object, "spec", "clusterDeploymentName", "namespace");
    }

    /** The name in the spec, else the one that the host reported; {@code null} before. */
    public @Nullable String hostname() {
        String named = Fields.string(object, "spec", "hostname");
        return named != null ? named : Fields.string(object, "status", "inventory", "hostname");
    }

    /** assisted-service's state of the host; empty before it has seen the Agent. */
    public String state() {
        return Objects.requireNonNullElse(Fields.string(object, "status", "debugInfo", "state"), "");
    }

    /** assisted-service's explanation of {@link #state()}; empty if absent. */
    public String stateInfo() {
        return Objects.requireNonNullElse(Fields.string(object, "status", "debugInfo", "stateInfo"), "");
    }

    /** URL of the host's logs. It can hold a token: do not show it. */
    public @Nullable String logsUrl() {
        return Fields.string(object, "status", "debugInfo", "logsURL");
    }

    /** Stage of the installation, such as {@code Writing image to disk}; {@code null} before it starts. */
    public @Nullable String currentStage() {
        return Fields.string(object, "status", "progress", "currentStage");
    }

    public @Nullable Integer installationPercentage() {
        return Fields.integer(object, "status", "progress", "installationPercentage");
    }

    /** Entries of the inventory's disks; empty before the host reports. */
    public List<?> disks() {
        return Fields.list(object, "status", "inventory", "disks");
    }

    /** Entries of the inventory's network interfaces; empty before the host reports. */
    public List<?> interfaces() {
        return Fields.list(object, "status", "inventory", "interfaces");
    }
}
