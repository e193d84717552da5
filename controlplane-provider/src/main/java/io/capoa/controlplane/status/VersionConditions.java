package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.status.Conditions;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Conditions that report a requested version that the installed cluster does not run. The provider does not upgrade
 * clusters, and no condition may suggest that it does.
 */
final class VersionConditions {

    private VersionConditions() {}

    /** Overrides conditions of Machines and release. */
    static void set(Conditions conditions, StepResults results) {
        ControlPlaneObservation observation = results.observation();
        distribution(
                        observation.installed(),
                        observation.controlPlane().getSpec().distributionVersion(),
                        results.distributionVersion())
                .ifPresent(message -> {
                    conditions.isFalse(UPGRADE_AVAILABLE, UPGRADE_NOT_SUPPORTED, message);
                    conditions.isFalse(MACHINES_UP_TO_DATE, UPGRADE_NOT_SUPPORTED, message);
                });
        if (observation.installStarted()) {
            ResolvedRelease release = results.release().known();
            kubernetes(
                            observation.controlPlane().getSpec().version(),
                            running(RunningVersions.of(observation.machines(), release)))
                    .ifPresent(message -> conditions.isFalse(RELEASE_RESOLVED, VERSION_MISMATCH, message));
        }
    }

    /**
     * The message if the requested release differs from the running one; empty if they match or the running one is not
     * known.
     */
    static Optional<String> distribution(boolean installed, String requested, @Nullable String runs) {
        return !installed || runs == null || runs.isEmpty() || runs.equals(requested)
                ? Optional.empty()
                : Optional.of(
                        ("the cluster runs %s, spec.distributionVersion asks for %s, and this provider does not upgrade"
                                        + " clusters: upgrade with oc adm upgrade, or set spec.distributionVersion to %s")
                                .formatted(runs, requested, runs));
    }

    /** The message if the requested Kubernetes version differs from the one of the control plane's nodes. */
    static Optional<String> kubernetes(@Nullable String requested, @Nullable String runs) {
        return requested == null
                        || requested.isEmpty()
                        || runs == null
                        || plain(requested).equals(plain(runs))
                ? Optional.empty()
                : Optional.of("spec.version is %s, but the control plane runs Kubernetes v%s: correct it or remove it"
                        .formatted(requested, plain(runs)));
    }

    /** The oldest version, as in {@code status.version}. */
    private static @Nullable String running(List<StatusVersion> versions) {
        return versions.isEmpty() ? null : versions.getFirst().version();
    }

    /** Strips {@code v} and build metadata. */
    private static String plain(String version) {
        return version.replaceFirst("^v", "").replaceFirst("\\+.*$", "");
    }
}
