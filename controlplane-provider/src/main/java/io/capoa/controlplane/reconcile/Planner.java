package io.capoa.controlplane.reconcile;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.steps.install.InputsStep;
import io.capoa.controlplane.steps.install.InputsStep.Inputs;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;

/** Plans a reconcile: checks prerequisites, reads the user's ConfigMaps and resolves the release. */
final class Planner {

    private final InputsStep inputs;
    private final ReleaseResolution release;
    private final Clock clock;

    Planner(InputsStep inputs, ReleaseResolution release, Clock clock) {
        this.inputs = inputs;
        this.release = release;
        this.clock = clock;
    }

    Plan plan(ControlPlaneObservation observation) {
        return observation.paused()
                ? new Plan.Pause()
                : switch (Prerequisites.of(observation)) {
                    case Prerequisites.Clear clear -> apply(observation, clear);
                    case Prerequisites.Unsupported unsupported -> new Plan.Wait(unsupported.blocker(), Set.of());
                    case Prerequisites.Unmet unmet ->
                        isNew(observation.controlPlane())
                                ? settle(observation)
                                : new Plan.Wait(unmet.blocker(), Set.of());
                };
    }

    /** Drops what is remembered of a control plane. */
    void forget(ResourceID controlPlane) {
        inputs.forget(controlPlane);
    }

    private Plan apply(ControlPlaneObservation observation, Prerequisites.Clear clear) {
        Inputs read = inputs.read(observation);
        ReleaseState state = release.resolve(observation, read);
        boolean begun = observation.install() != null || observation.installed();
        if (state instanceof ReleaseState.NoCredentials missing && !begun) {
            return new Plan.Wait(missing.blocker(), pullSecret(observation, missing));
        }
        return read.problem() != null && read.problem().isAnnouncement()
                ? new Plan.Announce(read.problem().blocker(), read.watched())
                : new Plan.Apply(clear.cluster(), read, state);
    }

    /** Asks the registry already, so that the answer is there when the Cluster is. */
    private Plan settle(ControlPlaneObservation observation) {
        release.resolve(observation, inputs.read(observation));
        return new Plan.Settle();
    }

    private boolean isNew(OpenshiftAssistedControlPlane controlPlane) {
        Instant created = Instant.parse(controlPlane.getMetadata().getCreationTimestamp());
        return controlPlane.getStatus() == null && clock.instant().isBefore(created.plus(Requeue.APPLIED_WITHIN));
    }

    private static Set<Target> pullSecret(ControlPlaneObservation observation, ReleaseState.NoCredentials missing) {
        return missing.secret() == null
                ? Set.of()
                : Set.of(Target.secret(observation.identity().namespace(), missing.secret()));
    }
}
