package io.capoa.controlplane.controlplane;

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

    /** Whether the installed API server can be used. */
    boolean serves() {
        return hasKubeconfig()
                && (answers
                        || observation.installed()
                        || observation.installState().apiServes());
    }
}
