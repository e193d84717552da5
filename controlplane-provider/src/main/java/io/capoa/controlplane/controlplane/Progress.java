package io.capoa.controlplane.controlplane;

/**
 * What the steps of a reconcile have come to.
 *
 * @param observation as it is after the steps
 * @param answers whether the installed API server was asked and is ready
 */
record Progress(
        ControlPlaneObservation observation,
        ReleaseState release,
        InstallStep.Outcome install,
        MachineStep.Outcome machines,
        ScaleDownStep.Outcome scaleDown,
        KubeconfigStep.Outcome kubeconfig,
        boolean answers) {

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
        return hasKubeconfig()
                && (answers
                        || observation.installed()
                        || observation.installState().apiServes());
    }
}
