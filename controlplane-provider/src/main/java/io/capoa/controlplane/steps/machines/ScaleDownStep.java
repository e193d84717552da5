package io.capoa.controlplane.steps.machines;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.ScaleDown;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.write.Applier;
import org.jspecify.annotations.Nullable;

/** Deletes surplus Machines, and removes the nodes of Machines that are being deleted. */
public final class ScaleDownStep {

    /** Reason of the Event for a deleted Machine. */
    private static final String DELETING_MACHINE = "DeletingMachine";

    /**
     * Outcome of the step.
     *
     * @param message what is waited for; {@code null} if nothing is
     * @param again whether a Machine changed concurrently, so that the step must run again
     */
    public record Outcome(@Nullable String message, boolean again) {}

    private final Applier applier;
    private final Fence fence;
    private final NodeRemovalStep removal;
    private final EventRecorder events;

    public ScaleDownStep(Applier applier, Fence fence, NodeRemovalStep removal, EventRecorder events) {
        this.events = events;
        this.applier = applier;
        this.fence = fence;
        this.removal = removal;
    }

    /**
     * Continues what has begun; deletes a surplus Machine only while no other operation runs.
     *
     * @param upgrading whether the cluster is being upgraded
     */
    public Outcome apply(ControlPlaneObservation observation, WorkloadClusterQueries questions, boolean upgrading) {
        NodeRemovalStep.Outcome removed = removal.apply(observation, questions);
        ScaleDown.Decision decision = upgrading ? behindUpgrade(observation) : decide(observation, questions);
        return switch (decision) {
            case ScaleDown.Decision.None ignored -> new Outcome(removed.message(), removed.again());
            case ScaleDown.Decision.Wait wait ->
                new Outcome(removed.message() == null ? wait.message() : removed.message(), removed.again());
            case ScaleDown.Decision.Ask ignored ->
                new Outcome("asking the cluster whether etcd is healthy", removed.again());
            case ScaleDown.Decision.Delete delete -> delete(observation, delete.machine(), removed);
        };
    }

    /** Deletes the Machine unless it has changed since the decision. */
    private Outcome delete(ControlPlaneObservation observation, Machine machine, NodeRemovalStep.Outcome removed) {
        String obstacle = observation.stage() == ScaleDown.Stage.AFTER ? fence.obstacle(observation) : null;
        if (obstacle != null) {
            return new Outcome(obstacle, removed.again());
        }
        if (!applier.deleteIfUnchanged(machine)) {
            return new Outcome(removed.message(), true);
        }
        events.tell(
                observation.controlPlane(),
                RecordedEvent.good(
                        DELETING_MACHINE,
                        "deleting Machine " + machine.getMetadata().getName() + ": there are more than spec.replicas"));
        return new Outcome(removed.message(), removed.again());
    }

    /** A node that leaves while others reboot could cost etcd its majority. */
    private static ScaleDown.Decision behindUpgrade(ControlPlaneObservation observation) {
        Integer replicas = observation.controlPlane().getSpec().replicas();
        ScaleDown.Decision decision = ScaleDown.decide(replicas, observation.machines(), observation.stage(), null);
        return decision instanceof ScaleDown.Decision.None
                ? decision
                : new ScaleDown.Decision.Wait(
                        "the cluster is being upgraded; surplus Machines are deleted when that is complete");
    }

    private static ScaleDown.Decision decide(ControlPlaneObservation observation, WorkloadClusterQueries questions) {
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
