package io.capoa.controlplane.controlplane;

/**
 * What the steps of a reconcile have come to.
 *
 * @param observation as it is after the steps
 */
record Progress(
        ControlPlaneObservation observation,
        ReleaseState release,
        InstallStep.Outcome install,
        MachineStep.Outcome machines,
        KubeconfigStep.Outcome kubeconfig) {

    /** Whether Cluster API has what it needs to reach the installed cluster. */
    boolean hasKubeconfig() {
        return switch (kubeconfig) {
            case KubeconfigStep.Outcome.Available ignored -> true;
            case KubeconfigStep.Outcome.UserProvided ignored -> true;
            case KubeconfigStep.Outcome.NotYet ignored -> false;
            case KubeconfigStep.Outcome.SourceMissing ignored -> false;
        };
    }

    /** Whether the installed API server can be used. */
    boolean serves() {
        return hasKubeconfig() && observation.installState().apiServes();
    }
}
