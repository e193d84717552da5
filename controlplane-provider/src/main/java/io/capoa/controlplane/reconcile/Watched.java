package io.capoa.controlplane.reconcile;

import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.plan.PlanReader;
import io.capoa.controlplane.steps.install.CloudControllerManagerCheck;
import io.capoa.controlplane.steps.install.ImageSetStep;
import io.capoa.controlplane.steps.install.InputMemory;
import io.capoa.controlplane.steps.install.InputsStep;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.controlplane.steps.install.RetryStep;
import io.capoa.controlplane.steps.machines.Fence;
import io.capoa.controlplane.steps.machines.InPlaceStep;
import io.capoa.controlplane.steps.machines.MachineConditionWriter;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.controlplane.steps.machines.NodeRemovalStep;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.steps.machines.QuorumGuardStep;
import io.capoa.controlplane.steps.machines.RemediationStep;
import io.capoa.controlplane.steps.machines.UpToDateStep;
import io.capoa.controlplane.steps.upgrade.HealthCheckStep;
import io.capoa.controlplane.steps.upgrade.UpgradeStep;
import io.capoa.controlplane.steps.upgrade.WorkerUpdateStep;
import io.capoa.controlplane.upgrade.NodeUpdates;
import io.capoa.runtime.assisted.ValidationGrace;
import io.capoa.runtime.contract.Contracts;

/** The parts of the reconciler that need the declared event sources. */
record Watched(ControlPlaneSources sources, Planner planner, StepPipeline steps, ControlPlaneDeletion deletion) {

    static Watched of(Dependencies with, ControlPlaneSources sources, Contracts contracts) {
        ImageSetStep imageSets = new ImageSetStep(sources, with.applier());
        ReleaseResolution release = new ReleaseResolution(with::secret, sources::imageSetsOf, with.releases());
        InputMemory inputs = new InputMemory(with.version());
        NodeUpdates updates = new NodeUpdates(with.clock());
        return new Watched(
                sources,
                new Planner(
                        new InputsStep(
                                with::configMap, new CloudControllerManagerCheck(with.events()::tell, inputs), inputs),
                        release,
                        with.clock()),
                new StepPipeline(
                        sources,
                        installSteps(with, sources, contracts, release, imageSets),
                        machineSteps(with, sources, contracts, updates),
                        new StepPipeline.UpgradeSteps(
                                new UpgradeStep(
                                        release,
                                        new Fence(with.client(), with.leading()),
                                        with.events(),
                                        new HealthCheckStep(with.client(), with.applier(), updates)),
                                new WorkerUpdateStep(with.client(), with.clock())),
                        new ValidationGrace(with.clock())),
                new ControlPlaneDeletion(sources, with.applier(), imageSets));
    }

    private static StepPipeline.InstallSteps installSteps(
            Dependencies with,
            ControlPlaneSources sources,
            Contracts contracts,
            ReleaseResolution release,
            ImageSetStep imageSets) {
        return new StepPipeline.InstallSteps(
                new PlanStep(new PlanReader(with.client(), contracts), with.clock()),
                release,
                new InstallStep(sources, with.client(), with.applier(), imageSets),
                new RetryStep(with.client(), with.applier()),
                new KubeconfigStep(sources, with::secret, with.applier()));
    }

    private static StepPipeline.MachineSteps machineSteps(
            Dependencies with, ControlPlaneSources sources, Contracts contracts, NodeUpdates updates) {
        Fence fence = new Fence(with.client(), with.leading());
        MachineConditionWriter conditions = new MachineConditionWriter(sources, with.applier(), with.clock());
        return new StepPipeline.MachineSteps(
                new OperationStep(
                        new MachineStep(sources, with.client(), contracts, with.applier(), with.clock()),
                        new NodeRemovalStep(sources, with.applier(), fence, with.clock()),
                        new RemediationStep(sources, with.client(), with.applier(), conditions),
                        new QuorumGuardStep(with.applier(), fence, with.events()),
                        updates,
                        fence,
                        with.applier(),
                        with.events(),
                        with.clock()),
                new InPlaceStep(sources, with.applier()),
                new UpToDateStep(conditions, with.clock()));
    }
}
