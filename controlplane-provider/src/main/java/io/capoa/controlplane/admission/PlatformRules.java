package io.capoa.controlplane.admission;

import io.capoa.api.LocalReference;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.PlatformConfig;
import io.capoa.api.rules.Section;
import io.capoa.controlplane.install.Platform;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rules for the platform that its schema cannot express: the manifests it requires, and changes of it. */
final class PlatformRules {

    /** The one name of platform External for which assisted-service has a validation. */
    private static final String OCI = "oci";

    private PlatformRules() {}

    /** Checks {@code spec.config}. */
    static void check(Section section, ClusterConfig config) {
        if (Platform.of(config) != Platform.EXTERNAL || hasManifests(config)) {
            return;
        }
        Section field = section.in("manifestsConfigMapRefs");
        if (Platform.hasUsersCloudControllerManager(config)) {
            field.refuseTogether("is empty, but platform.cloudControllerManager External takes your cloud controller"
                    + " manager from it, without which no Node is initialized: name the ConfigMaps with its manifests,"
                    + " or write platform.cloudControllerManager None");
        } else if (OCI.equals(platformName(config))) {
            field.refuseTogether("is empty, but assisted-service installs platform oci only with manifests: name the"
                    + " ConfigMaps with those of Oracle Cloud Infrastructure");
        }
    }

    /** Warns when a change comes too late: assisted-service takes the platform's settings at registration only. */
    static void change(Section section, @Nullable ClusterConfig config, @Nullable ClusterConfig before) {
        if (Platform.of(config) == Platform.EXTERNAL
                && Platform.of(before) == Platform.EXTERNAL
                && !Objects.equals(platform(config), platform(before))) {
            section.in("platform")
                    .warn("is read when the cluster is registered with assisted-service: if its AgentClusterInstall"
                            + " exists already, delete that, and it is recreated with the change");
        }
    }

    private static boolean hasManifests(ClusterConfig config) {
        List<LocalReference> references = config.manifestsConfigMapRefs();
        return references != null && !references.isEmpty();
    }

    private static @Nullable String platformName(ClusterConfig config) {
        PlatformConfig platform = platform(config);
        return platform == null ? null : platform.platformName();
    }

    private static @Nullable PlatformConfig platform(@Nullable ClusterConfig config) {
        return config == null ? null : config.platform();
    }
}
