package io.capoa.controlplane.controlplane;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.ScaleDown;
import io.capoa.runtime.write.Applier;
import org.jspecify.annotations.Nullable;

/** Removes Machines: deletes one that is too many, and releases the hosts of those that have left the cluster. */
final class ScaleDownStep {

    /** Reason of the Event that tells of a Machine's deletion. */
    static final String DELETING_MACHINE = "DeletingMachine";

    /**
     * What is waited for.
     *
     * @param message {@code null} where nothing is in the way
     * @param chosen the Machine that is deleted now
     * @param again whether a Machine has changed under our hands and has to be looked at again
     */
    record Outcome(@Nullable String message, @Nullable Machine chosen, boolean again) {}

    private final Applier applier;
    private final Fence fence;
    private final NodeRemovalStep removal;

    ScaleDownStep(Applier applier, Fence fence, NodeRemovalStep removal) {
        this.applier = applier;
        this.fence = fence;
        this.removal = removal;
    }

    Outcome apply(ControlPlaneObservation observation, Questions questions) {
        NodeRemovalStep.Outcome removed = removal.apply(observation, questions);
        ScaleDown.Decision decision = decide(observation, questions);
        return switch (decision) {
            case ScaleDown.Decision.None ignored -> new Outcome(removed.message(), null, removed.again());
            case ScaleDown.Decision.Wait wait ->
                new Outcome(removed.message() == null ? wait.message() : removed.message(), null, removed.again());
            case ScaleDown.Decision.Ask ignored ->
                new Outcome("the cluster is asked whether etcd is healthy", null, removed.again());
            case ScaleDown.Decision.Delete delete -> delete(observation, delete.machine(), removed);
        };
    }

    /** The Machine must be what was decided on: one that has changed is decided on again. */
    private Outcome delete(ControlPlaneObservation observation, Machine machine, NodeRemovalStep.Outcome removed) {
        String obstacle = observation.stage() == ScaleDown.Stage.AFTER ? fence.obstacle(observation) : null;
        if (obstacle != null) {
            return new Outcome(obstacle, null, removed.again());
        }
        return applier.deleteIfUnchanged(machine)
                ? new Outcome(removed.message(), machine, removed.again())
                : new Outcome(removed.message(), null, true);
    }

    private static ScaleDown.Decision decide(ControlPlaneObservation observation, Questions questions) {
        Integer replicas = observation.controlPlane().getSpec().replicas();
        ScaleDown.Stage stage = observation.stage();
        ScaleDown.Decision decision = ScaleDown.decide(replicas, observation.machines(), stage, null);
        return decision instanceof ScaleDown.Decision.Ask
                ? ScaleDown.decide(
                        replicas,
                        observation.machines(),
                        stage,
                        questions.etcd(observation.machines().size()))
                : decision;
    }
}
