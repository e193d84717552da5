package io.capoa.controlplane.status;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.Operation;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.controlplane.workload.health.CloudControllerState;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.status.Blocker;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of a reconcile's steps, from which the status is computed.
 *
 * @param observation taken after the steps
 * @param plan of the installation
 * @param checks failing cluster validations of assisted-service
 */
public record StepResults(
        ControlPlaneObservation observation,
        PlanStep.Planned plan,
        ReleaseState release,
        InstallStep.Progress install,
        Machines machines,
        KubeconfigStep.Access kubeconfig,
        Answers answers,
        Verdict checks) {

    /**
     * Outcomes of the Machine steps.
     *
     * @param conditionsWritten whether the step wrote a Machine's UpToDate condition
     */
    public record Machines(OperationStep.Outcome outcome, boolean conditionsWritten) {

        /** Outcome of the creation of Machines. */
        public MachineStep.Creation creation() {
            return outcome.creation();
        }

        public Operation operation() {
            return outcome.operation();
        }
    }

    /**
     * Answers of the workload cluster.
     *
     * @param ready whether the API server was asked and is ready
     * @param upgrade the release that the cluster runs or moves to; {@code null} before the installation is complete
     * @param cloud the user's cloud controller manager; {@code null} if there is none, or not answered yet
     * @param health of the installed control plane
     * @param workers what is to be done about versions of worker MachineDeployments; empty if nothing is
     */
    public record Answers(
            boolean ready,
            @Nullable UpgradeOutcome upgrade,
            @Nullable CloudControllerState cloud,
            HealthJudgement health,
            Optional<Blocker> workers) {}

    /** Whether Cluster API has a kubeconfig of the workload cluster. */
    boolean hasKubeconfig() {
        return switch (kubeconfig) {
            case KubeconfigStep.Access.Available ignored -> true;
            case KubeconfigStep.Access.UserProvided ignored -> true;
            case KubeconfigStep.Access.NotYet ignored -> false;
            case KubeconfigStep.Access.SourceMissing ignored -> false;
            case KubeconfigStep.Access.SourceUnusable ignored -> false;
        };
    }

    /**
     * The OpenShift version that the cluster runs: as it reports, else as last reported, else as installed; {@code null}
     * before the installation is complete.
     */
    @Nullable
    String distributionVersion() {
        if (!observation.installed()) {
            return null;
        }
        Optional<String> runs =
                answers.upgrade() == null ? Optional.empty() : answers.upgrade().runs();
        if (runs.isPresent()) {
            return runs.get();
        }
        OpenshiftAssistedControlPlaneStatus before = observation.controlPlane().getStatus();
        String known = before == null ? null : before.distributionVersion();
        if (known != null && !known.isEmpty()) {
            return known;
        }
        ResolvedRelease installed = release.known();
        return observation.installState().completed() && installed != null ? installed.version() : null;
    }

    /** Whether Cluster API can use the workload cluster's API server; during the installation it is asked until it answers. */
    boolean serves() {
        return hasKubeconfig()
                && (answers.ready()
                        || observation.initialized()
                        || observation.installed()
                        || observation.installState().apiServes());
    }
}
