package io.capoa.api.contract;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read view of an InfraEnv. */
public record InfraEnvView(InfraEnv object) implements ObjectView {

    /** URLs in the status. */
    public enum Url {
        /** The live ISO. */
        ISO("status.isoDownloadURL"),
        /** The discovery ignition; absent where the image service is disabled. */
        DISCOVERY_IGNITION("status.bootArtifacts.discoveryIgnitionURL"),
        /** The events; its query names assisted-service's id of the InfraEnv. */
        EVENTS("status.debugInfo.eventsURL");

        private final String field;

        Url(String field) {
            this.field = field;
        }

        /** The field's path, such as {@code status.isoDownloadURL}. */
        public String field() {
            return field;
        }
    }

    /** The view; an absent InfraEnv reads as an empty one. */
    public static InfraEnvView of(@Nullable InfraEnv infraEnv) {
        return new InfraEnvView(Objects.requireNonNullElseGet(infraEnv, InfraEnv::new));
    }

    public @Nullable String osImageVersion() {
        return Fields.string(object, "spec", "osImageVersion");
    }

    /** JSON ignition that assisted-service merges into the discovery ignition; {@code null} if none. */
    public @Nullable String ignitionOverride() {
        return Fields.string(object, "spec", "ignitionConfigOverride");
    }

    /** Name of the ClusterDeployment; {@code null} if none. */
    public @Nullable String clusterName() {
        return Fields.string(object, "spec", "clusterRef", "name");
    }

    /** Namespace of the ClusterDeployment. */
    public @Nullable String clusterNamespace() {
        return Fields.string(object, "spec", "clusterRef", "namespace");
    }

    /** As published, valid or not; {@code null} before. */
    public @Nullable String url(Url which) {
        return Fields.string(object, which.field.split("\\.", -1));
    }

    /** When assisted-service published the media; it changes with each change of the InfraEnv. */
    public @Nullable String createdTime() {
        return Fields.string(object, "status", "createdTime");
    }
}
