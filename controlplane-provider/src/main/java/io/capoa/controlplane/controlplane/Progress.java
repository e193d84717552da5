package io.capoa.controlplane.controlplane;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of a reconcile have come to.
 *
 * @param observation as it is after the steps
 * @param checks which failing checks of the cluster count
 * @param answers whether the installed API server was asked and is ready
 * @param runs the release that the installed cluster says it runs; {@code null} unless it was asked
 */
record Progress(
        ControlPlaneObservation observation,
        ReleaseState release,
        InstallStep.Outcome install,
        MachineStep.Outcome machines,
        ScaleDownStep.Outcome scaleDown,
        KubeconfigStep.Outcome kubeconfig,
        Verdict checks,
        boolean answers,
        @Nullable String runs) {

    /** Whether Cluster API has what it needs to reach the installed cluster. */
    boolean hasKubeconfig() {
        return switch (kubeconfig) {
            case KubeconfigStep.Outcome.Available ignored -> true;
            case KubeconfigStep.Outcome.UserProvided ignored -> true;
            case KubeconfigStep.Outcome.NotYet ignored -> false;
            case KubeconfigStep.Outcome.SourceMissing ignored -> false;
            case KubeconfigStep.Outcome.SourceUnusable ignored -> false;
        };
    }

    /**
     * The OpenShift release that the cluster runs: what it says itself, else what was known before, else what was installed;
     * {@code null} before the installation is complete.
     */
    @Nullable
    String distributionVersion() {
        if (!observation.installed()) {
            return null;
        }
        OpenshiftAssistedControlPlaneStatus before = observation.controlPlane().getStatus();
        String known = before == null ? null : before.distributionVersion();
        if (runs != null || (known != null && !known.isEmpty())) {
            return runs != null ? runs : known;
        }
        ResolvedRelease installed = release.known();
        return observation.installState().completed() && installed != null ? installed.version() : null;
    }

    /** Whether the installed API server can be used. */
    boolean serves() {
        return hasKubeconfig()
                && (answers
                        || observation.installed()
                        || observation.installState().apiServes());
    }
}
