package io.capoa.api.contract;

import io.capoa.api.conditions.Condition;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Read view of an AgentClusterInstall. */
public record AgentClusterInstallView(AgentClusterInstall object) implements ObjectView {

    private static final String COMPLETED = "Completed";

    /** The view; an absent AgentClusterInstall reads as an empty one. */
    public static AgentClusterInstallView of(@Nullable AgentClusterInstall install) {
        return new AgentClusterInstallView(Objects.requireNonNullElseGet(install, AgentClusterInstall::new));
    }

    public Map<String, Object> spec() {
        return Fields.map(object, "spec");
    }

    /** Name of the ClusterImageSet. */
    public @Nullable String imageSetName() {
        return Fields.string(object, "spec", "imageSetRef", "name");
    }

    /** Number of control plane hosts that the installation needs. */
    public int controlPlaneAgents() {
        return agents("controlPlaneAgents");
    }

    /** Number of worker hosts that the installation needs. */
    public int workerAgents() {
        return agents("workerAgents");
    }

    /** Hive's {@code clusterMetadata}, empty until assisted-service has set it. */
    public Map<String, Object> clusterMetadata() {
        return Fields.map(object, "spec", "clusterMetadata");
    }

    /** Name of the Secret with the administrator kubeconfig; {@code null} until assisted-service has published one. */
    public @Nullable String adminKubeconfigSecretName() {
        return Fields.any(clusterMetadata(), "adminKubeconfigSecretRef", "name") instanceof String name
                        && !name.isEmpty()
                ? name
                : null;
    }

    /** assisted-service's state of the installation; empty before it has seen the object. */
    public String state() {
        return Objects.requireNonNullElse(Fields.string(object, "status", "debugInfo", "state"), "");
    }

    /** assisted-service's explanation of {@link #state()}. */
    public @Nullable String stateInfo() {
        return Fields.string(object, "status", "debugInfo", "stateInfo");
    }

    public boolean isCompleted() {
        return isTrue(COMPLETED);
    }

    /** RFC 3339 time at which the installation completed; empty before. */
    public Optional<String> completedAt() {
        return Fields.list(object, "status", "conditions").stream()
                .filter(condition -> COMPLETED.equals(Fields.any(condition, "type"))
                        && Condition.TRUE.equals(Fields.any(condition, "status")))
                .flatMap(condition -> Optional.ofNullable(Fields.any(condition, "lastTransitionTime")).stream())
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst();
    }

    /** Whether the installation failed; the message says why. */
    public Optional<ConditionView> failed() {
        return condition("Failed").filter(ConditionView::isTrue);
    }

    /** Whether the installation was stopped: it completed, failed or was cancelled. */
    public Optional<ConditionView> stopped() {
        return condition("Stopped").filter(ConditionView::isTrue);
    }

    /** Whether assisted-service accepted the spec. */
    public Optional<ConditionView> specSynced() {
        return condition("SpecSynced");
    }

    private int agents(String role) {
        return Objects.requireNonNullElse(Fields.integer(object, "spec", "provisionRequirements", role), 0);
    }
}
