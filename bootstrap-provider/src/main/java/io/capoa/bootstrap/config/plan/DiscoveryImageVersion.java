package io.capoa.bootstrap.config.plan;

import io.capoa.api.contract.InfraEnvView;
import io.capoa.bootstrap.boot.BootMedia;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides {@code osImageVersion} of a Machine's InfraEnv.
 *
 * <p>assisted-service keeps the release that a cluster was installed with, and builds the live ISO from it. A host that
 * joins after an upgrade to another minor release needs the image of that one (assisted-service, "Adding Nodes to an
 * Upgraded Cluster").
 */
final class DiscoveryImageVersion {

    /** Major and minor number, which is how AgentServiceConfigs name their images. */
    private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+)(\\..*)?");

    private DiscoveryImageVersion() {}

    /**
     * The version; {@code null} for the one that assisted-service chooses. That it is while the cluster is not installed,
     * and until assisted-service has accepted the InfraEnv: it rejects a new one that has both cluster and version.
     */
    static @Nullable String of(ConfigObservation seen) {
        String present = InfraEnvView.of(seen.infraEnv()).osImageVersion();
        boolean accepted = seen.infraEnv() != null && (!seen.media().equals(BootMedia.NONE) || present != null);
        if (!accepted || !seen.joins()) {
            return null;
        }
        String configured = seen.config().getSpec().osImageVersion();
        if (configured != null && !configured.isEmpty()) {
            return configured;
        }
        // A disk image has its version already.
        return seen.infrastructure().isLiveIso() ? ofRelease(seen, present) : null;
    }

    private static @Nullable String ofRelease(ConfigObservation seen, @Nullable String present) {
        Matcher release = MINOR.matcher(seen.release() == null ? "" : seen.release());
        if (!release.matches()) {
            return present;
        }
        String minor = release.group(1);
        boolean right = present == null && isOfVersion(seen.media(), minor);
        return right ? null : minor;
    }

    /** Whether the path of the live ISO names that minor release, or a patch of it: no other image is needed then. */
    private static boolean isOfVersion(BootMedia media, String minor) {
        String iso = media.iso();
        return iso != null
                && Pattern.compile("/" + Pattern.quote(minor) + "(\\.[^/]*)?/")
                        .matcher(iso)
                        .find();
    }
}
