package io.capoa.controlplane.reconcile;

import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.steps.install.CloudControllerManagerCheck;
import io.capoa.controlplane.steps.install.ImageSetStep;
import io.capoa.controlplane.steps.install.InputMemory;
import io.capoa.controlplane.steps.install.InputsStep;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.runtime.contract.Contracts;

/** The parts of the reconciler that need the declared event sources. */
record Watched(ControlPlaneSources sources, Planner planner, StepPipeline steps, ControlPlaneDeletion deletion) {

    static Watched of(Dependencies with, ControlPlaneSources sources, Contracts contracts) {
        ImageSetStep imageSets = new ImageSetStep(sources, with.applier());
        ReleaseResolution releases = new ReleaseResolution(with::secret, sources::imageSetsOf, with.releases());
        InputMemory inputs = new InputMemory(with.version());
        return new Watched(
                sources,
                new Planner(
                        new InputsStep(
                                with::configMap, new CloudControllerManagerCheck(with.events()::tell, inputs), inputs),
                        releases,
                        with.clock()),
                new StepPipeline(with, sources, contracts, releases, imageSets),
                new ControlPlaneDeletion(sources, with.applier(), imageSets));
    }
}
