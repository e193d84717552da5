package io.capoa.api.contract;

import io.capoa.api.conditions.Condition;
import java.util.List;
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

    /** The answer with which assisted-service refuses the spec, until something changes; empty while it retries by itself. */
    public Optional<Refusal> refusal() {
        return specSynced()
                .filter(synced -> !synced.isTrue() && synced.reason().equals("InputError"))
                .map(synced -> new Refusal(synced.message()));
    }

    /** A refusal of the spec in assisted-service's words. */
    public record Refusal(String message) {

        /**
         * What assisted-service says if it lacks the release or its boot image, in registration as a cluster and in its
         * lists: an input error, too, although the spec may be right and only the registry could not be read.
         */
        private static final List<String> OF_THE_RELEASE = List.of(
                "failed to get release image",
                "isn't specified in release images list",
                "No OS images are available for version");

        /** Whether assisted-service could not use the release, rather than a value of the spec. */
        public boolean isOfTheRelease() {
            return OF_THE_RELEASE.stream().anyMatch(message::contains);
        }

        /** What to do, in the imperative, as the end of a sentence. */
        public String remedy() {
            return isOfTheRelease()
                    ? "assisted-service does not ask again by itself: see that it reaches the registry of the release with the"
                            + " pull secret and mirrors of the cluster and has an OS image of this version, then restart"
                            + " assisted-service"
                    : "correct spec.config of the control plane";
        }
    }

    private int agents(String role) {
        return Objects.requireNonNullElse(Fields.integer(object, "spec", "provisionRequirements", role), 0);
    }
}
