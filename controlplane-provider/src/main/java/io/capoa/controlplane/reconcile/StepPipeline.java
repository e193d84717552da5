package io.capoa.controlplane.reconcile;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.status.CloudConditions;
import io.capoa.controlplane.status.InstallFailure;
import io.capoa.controlplane.status.StatusReport;
import io.capoa.controlplane.status.StepResults;
import io.capoa.controlplane.steps.health.HealthStep;
import io.capoa.controlplane.steps.install.InputsStep;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.install.RetryStep;
import io.capoa.controlplane.steps.machines.InPlaceStep;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.steps.machines.PlannedCreation;
import io.capoa.controlplane.steps.machines.UpToDateStep;
import io.capoa.controlplane.steps.machines.WorkloadClusterQueries;
import io.capoa.controlplane.steps.upgrade.UpgradeStep;
import io.capoa.controlplane.steps.upgrade.WorkerUpdateStep;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.runtime.assisted.ValidationGrace;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import org.jspecify.annotations.Nullable;

/** Runs the steps of a reconcile in order. Observes again before a step that needs what an earlier one wrote. */
final class StepPipeline {

    /** Steps that write what assisted-service installs from. */
    record InstallSteps(
            PlanStep plan,
            ReleaseResolution release,
            InstallStep install,
            RetryStep retry,
            KubeconfigStep kubeconfig) {}

    /** Steps that write Machines. */
    record MachineSteps(OperationStep operation, InPlaceStep inPlace, UpToDateStep upToDate) {}

    /** Steps that bring nodes to another release. */
    record UpgradeSteps(UpgradeStep cluster, WorkerUpdateStep workers) {}

    /** Outcomes of the creating steps, and the observation that the later steps start from. */
    private record Created(
            ControlPlaneObservation observation,
            PlanStep.Outcome plan,
            ReleaseState release,
            InstallStep.Outcome install,
            OperationStep.Outcome machines) {}

    private final ControlPlaneSources sources;
    private final InstallSteps install;
    private final MachineSteps machines;
    private final UpgradeSteps upgrade;
    private final HealthStep health = new HealthStep();
    private final ValidationGrace grace;

    StepPipeline(
            ControlPlaneSources sources,
            InstallSteps install,
            MachineSteps machines,
            UpgradeSteps upgrade,
            ValidationGrace grace) {
        this.sources = sources;
        this.install = install;
        this.machines = machines;
        this.upgrade = upgrade;
        this.grace = grace;
    }

    StepResults apply(ControlPlaneObservation observed, Plan.Apply plan, WorkloadClusterQueries queries) {
        boolean retry = observed.retryDue();
        UpgradeOutcome upgraded = upgrade.cluster().apply(observed, plan.inputs(), queries);
        Created created = create(observed, plan, upgraded, queries);
        ControlPlaneObservation current = created.observation();
        KubeconfigStep.Outcome kubeconfig = retry
                ? new KubeconfigStep.Outcome.NotYet()
                : install.kubeconfig().apply(current);
        StepResults.Answers answers = ask(current, upgraded, queries);
        ControlPlaneObservation after = observe(current);
        boolean written = machines.upToDate().apply(after, upgraded);
        return new StepResults(
                after,
                created.plan(),
                created.release(),
                created.install(),
                new StepResults.Machines(created.machines(), written),
                kubeconfig,
                answers,
                checks(after));
    }

    private Created create(
            ControlPlaneObservation observed,
            Plan.Apply plan,
            @Nullable UpgradeOutcome upgraded,
            WorkloadClusterQueries queries) {
        if (observed.retryDue()) {
            install.retry().apply(observed);
            return new Created(
                    observed,
                    PlanStep.Outcome.NONE,
                    plan.release(),
                    InstallStep.Outcome.Waiting.RETRY,
                    machines.operation().apply(observed, plan.cluster(), PlannedCreation.NONE, upgraded, queries));
        }
        PlanStep.Outcome planned = install.plan().apply(observed, plan.cluster());
        // What exists is not touched: an AgentClusterInstall is not put on hold.
        InputsStep.Inputs inputs = observed.install() == null ? planned.with(plan.inputs()) : plan.inputs();
        InstallStep.Outcome installed = install.install().apply(observed, plan.cluster(), inputs, plan.release());
        PlannedCreation creation = new PlannedCreation(planned.blocks(), planned.templates());
        OperationStep.Outcome made = machines.operation().apply(observed, plan.cluster(), creation, upgraded, queries);
        // The registry usually answers while the Machines are created.
        ReleaseState answered = install.release().again(observed, plan.release());
        if (!answered.equals(plan.release())) {
            installed = install.install().apply(observe(observed), plan.cluster(), inputs, answered);
        }
        machines.inPlace().apply(observed);
        return new Created(observe(observed), planned, answered, installed, made);
    }

    private ControlPlaneObservation observe(ControlPlaneObservation earlier) {
        return sources.observe(earlier.controlPlane());
    }

    /** Asks the API server until it has answered once. */
    private StepResults.Answers ask(
            ControlPlaneObservation observation, @Nullable UpgradeOutcome upgraded, WorkloadClusterQueries queries) {
        InstallState state = observation.installState();
        boolean probe = !observation.initialized() && state.started() && !state.apiServes();
        return new StepResults.Answers(
                probe && queries.isReady(),
                upgraded,
                CloudConditions.apply(observation) ? queries.cloudController() : null,
                health.apply(observation, queries),
                upgrade.workers().apply(observation));
    }

    private Verdict checks(ControlPlaneObservation observation) {
        AgentClusterInstall object = observation.install();
        ResourceID id = ResourceID.fromResource(observation.controlPlane());
        if (object == null || observation.installStarted()) {
            grace.forget(id);
            return Verdict.PASSING;
        }
        boolean reported = StatusReport.hasReported(observation, ControlPlaneConditions.CLUSTER_VALIDATION_FAILED);
        return grace.judge(id, object, InstallFailure.validations(object), reported, check -> true);
    }

    /** Ends what the steps began outside the control plane's own objects, when it has been deleted. */
    void end(ControlPlaneObservation observation) {
        upgrade.cluster().end(observation);
    }

    /** Drops what the steps remember of a control plane. */
    void forget(ResourceID controlPlane) {
        grace.forget(controlPlane);
        install.plan().forget(controlPlane);
        machines.operation().forget(controlPlane);
        health.forget(controlPlane);
        upgrade.cluster().forget(controlPlane);
    }
}
