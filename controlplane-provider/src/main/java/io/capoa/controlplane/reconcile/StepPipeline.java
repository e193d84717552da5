package io.capoa.controlplane.reconcile;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.plan.PlanReader;
import io.capoa.controlplane.status.CloudConditions;
import io.capoa.controlplane.status.InstallFailure;
import io.capoa.controlplane.status.StatusReport;
import io.capoa.controlplane.status.StepResults;
import io.capoa.controlplane.steps.health.HealthStep;
import io.capoa.controlplane.steps.install.ImageSetStep;
import io.capoa.controlplane.steps.install.InputsStep;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.Fence;
import io.capoa.controlplane.steps.machines.InPlaceStep;
import io.capoa.controlplane.steps.machines.MachineConditionWriter;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.controlplane.steps.machines.NodeRemovalStep;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.steps.machines.QuorumGuardStep;
import io.capoa.controlplane.steps.machines.RemediationStep;
import io.capoa.controlplane.steps.machines.RetryStep;
import io.capoa.controlplane.steps.machines.UpToDateStep;
import io.capoa.controlplane.steps.machines.WorkloadClusterQueries;
import io.capoa.controlplane.steps.upgrade.HealthCheckStep;
import io.capoa.controlplane.steps.upgrade.UpgradeStep;
import io.capoa.controlplane.steps.upgrade.WorkerUpdateStep;
import io.capoa.controlplane.upgrade.NodeUpdates;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.runtime.assisted.ValidationGrace;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Runs the steps of a reconcile in order. */
final class StepPipeline {

    private final ControlPlaneSources sources;
    private final Applier applier;
    private final UpgradeStep upgrade;
    private final RetryStep retry;
    private final PlanStep plan;
    private final InstallStep install;
    private final OperationStep operation;
    private final ReleaseResolution releases;
    private final InPlaceStep inPlace;
    private final KubeconfigStep kubeconfig;
    private final HealthStep health = new HealthStep();
    private final WorkerUpdateStep workers;
    private final UpToDateStep upToDate;
    private final ValidationGrace grace;

    StepPipeline(
            Dependencies with,
            ControlPlaneSources sources,
            Contracts contracts,
            ReleaseResolution releases,
            ImageSetStep imageSets) {
        KubernetesClient client = with.client();
        Clock clock = with.clock();
        Fence fence = new Fence(client, with.leading());
        NodeUpdates updates = new NodeUpdates(clock);
        this.sources = sources;
        this.applier = with.applier();
        this.upgrade = new UpgradeStep(releases, fence, with.events(), new HealthCheckStep(client, applier, updates));
        this.retry = new RetryStep(client, applier, fence);
        this.plan = new PlanStep(new PlanReader(client, contracts), clock);
        this.install = new InstallStep(sources, client, applier, imageSets);
        MachineConditionWriter conditions = new MachineConditionWriter(sources, applier, clock);
        this.operation = new OperationStep(
                new MachineStep(sources, client, contracts, applier, clock),
                new NodeRemovalStep(sources, applier, fence, clock),
                new RemediationStep(sources, client, applier, conditions),
                new QuorumGuardStep(applier, fence, with.events()),
                updates,
                fence,
                applier,
                with.events(),
                clock);
        this.releases = releases;
        this.inPlace = new InPlaceStep(sources, applier);
        this.kubeconfig = new KubeconfigStep(sources, with::secret, applier);
        this.workers = new WorkerUpdateStep(client, clock);
        this.upToDate = new UpToDateStep(conditions, clock);
        this.grace = new ValidationGrace(clock);
    }

    StepResults apply(ControlPlaneObservation observed, Plan.Apply planned, WorkloadClusterQueries queries) {
        LatestObservation latest = new LatestObservation(observed, applier::requests, sources::observe);
        Cluster cluster = planned.cluster();
        boolean retries = observed.retryDue();
        UpgradeOutcome upgraded = upgrade.apply(observed, planned.inputs(), queries);
        if (retries) {
            retry.apply(observed);
        }
        PlanStep.Planned verdict = retries ? PlanStep.Planned.NONE : plan.apply(observed, cluster);
        // What exists is not touched: an AgentClusterInstall is not put on hold.
        InputsStep.Inputs inputs = observed.install() == null ? verdict.with(planned.inputs()) : planned.inputs();
        InstallStep.Progress installed = retries
                ? InstallStep.Progress.Deleting.RETRY
                : install.apply(observed, cluster, inputs, planned.release());
        OperationStep.Outcome operated = operation.apply(observed, cluster, verdict, upgraded, queries);
        ReleaseState release = planned.release();
        if (!retries) {
            // The registry usually answers while the Machines are created.
            release = releases.again(observed, release);
            if (!release.equals(planned.release())) {
                installed = install.apply(latest.get(), cluster, inputs, release);
            }
            inPlace.apply(observed);
        }
        ControlPlaneObservation current = retries ? observed : latest.get();
        KubeconfigStep.Access access = retries ? new KubeconfigStep.Access.NotYet() : kubeconfig.apply(current);
        StepResults.Answers answers = ask(current, upgraded, queries);
        ControlPlaneObservation after = latest.get();
        boolean written = upToDate.apply(after, upgraded);
        return new StepResults(
                after,
                verdict,
                release,
                installed,
                new StepResults.Machines(operated, written),
                access,
                answers,
                checks(after));
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
                workers.apply(observation));
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
        upgrade.end(observation);
    }

    /** Drops what the steps remember of a control plane. */
    void forget(ResourceID controlPlane) {
        grace.forget(controlPlane);
        plan.forget(controlPlane);
        operation.forget(controlPlane);
        health.forget(controlPlane);
        upgrade.forget(controlPlane);
    }
}
