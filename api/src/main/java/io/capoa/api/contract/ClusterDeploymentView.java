package io.capoa.api.contract;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read view of a ClusterDeployment. */
public record ClusterDeploymentView(ClusterDeployment object) implements ObjectView {

    /** The view; an absent ClusterDeployment reads as an empty one. */
    public static ClusterDeploymentView of(@Nullable ClusterDeployment deployment) {
        return new ClusterDeploymentView(Objects.requireNonNullElseGet(deployment, ClusterDeployment::new));
    }

    public @Nullable String clusterName() {
        return Fields.string(object, "spec", "clusterName");
    }

    public @Nullable String baseDomain() {
        return Fields.string(object, "spec", "baseDomain");
    }

    /** Whether the cluster is installed: assisted-service then only adds hosts to it. */
    public boolean isInstalled() {
        return Fields.isTrue(object, "spec", "installed");
    }

    /** Name of the AgentClusterInstall. */
    public @Nullable String installName() {
        return Fields.string(object, "spec", "clusterInstallRef", "name");
    }

    /** Hive's {@code clusterMetadata}, empty if absent. */
    public Map<String, Object> clusterMetadata() {
        return Fields.map(object, "spec", "clusterMetadata");
    }
}
