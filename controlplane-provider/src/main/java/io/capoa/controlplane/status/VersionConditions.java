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
 * Conditions that say that an installed cluster does not run what the spec asks for. The provider does not upgrade
 * clusters: a version that is asked for later is not reached, and nothing may look as if it were.
 */
final class VersionConditions {

    private VersionConditions() {}

    /** Over what other steps have said of Machines and release. */
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

    /** That another release is asked for than the cluster runs; empty where that is not known. */
    static Optional<String> distribution(boolean installed, String asked, @Nullable String runs) {
        return !installed || runs == null || runs.isEmpty() || runs.equals(asked)
                ? Optional.empty()
                : Optional.of(
                        ("the cluster runs %s, spec.distributionVersion asks for %s, and this provider does not upgrade"
                                        + " clusters: upgrade with oc adm upgrade, or set spec.distributionVersion to %s")
                                .formatted(runs, asked, runs));
    }

    /** That another Kubernetes version is asked for than the control plane's nodes run. */
    static Optional<String> kubernetes(@Nullable String asked, @Nullable String runs) {
        return asked == null || asked.isEmpty() || runs == null || plain(asked).equals(plain(runs))
                ? Optional.empty()
                : Optional.of("spec.version is %s, but the control plane runs Kubernetes v%s: correct it or remove it"
                        .formatted(asked, plain(runs)));
    }

    /** The lowest of them, as {@code status.version}. */
    private static @Nullable String running(List<StatusVersion> versions) {
        return versions.isEmpty() ? null : versions.getFirst().version();
    }

    /** Without what some kubelets append of their build. */
    private static String plain(String version) {
        return version.replaceFirst("^v", "").replaceFirst("\\+.*$", "");
    }
}
