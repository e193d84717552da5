package io.capoa.controlplane.steps.machines;

import io.capoa.api.conditions.EventReasons;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.Operation;
import io.capoa.controlplane.operation.Situation;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.NodeUpdates;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.write.Applier;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Carries out the {@link Operation} of the moment: creates and deletes Machines, and removes the nodes of deleted ones. */
public final class OperationStep {

    private static final String UPGRADING =
            "the cluster is being upgraded; Machines are created and deleted when that is complete";
    private static final String BLOCKED = "condition InstallationPlanned says what they wait for";
    private static final String ASKING = "asking the cluster whether etcd is healthy, and whether it is being upgraded";

    /**
     * Outcome of the step.
     *
     * @param creation outcome of the creation of Machines
     * @param message what a deletion or removal waits for; {@code null} if nothing is
     * @param again whether a Machine changed concurrently, so that the step must run again
     */
    public record Outcome(
            Operation operation,
            MachineStep.Creation creation,
            @Nullable String message,
            boolean again) {

        /** Nothing was done. */
        public static Outcome none(Operation operation) {
            return new Outcome(operation, new MachineStep.Creation.Complete(), null, false);
        }

        private Outcome with(@Nullable String removal) {
            return new Outcome(operation, creation, removal == null ? message : removal, again);
        }
    }

    private final MachineStep machines;
    private final NodeRemovalStep removal;
    private final RemediationStep remediation;
    private final QuorumGuardStep guard;
    private final NodeUpdates updates;
    private final Fence fence;
    private final Applier applier;
    private final EventRecorder events;
    private final Clock clock;

    public OperationStep(
            MachineStep machines,
            NodeRemovalStep removal,
            RemediationStep remediation,
            QuorumGuardStep guard,
            NodeUpdates updates,
            Fence fence,
            Applier applier,
            EventRecorder events,
            Clock clock) {
        this.machines = machines;
        this.removal = removal;
        this.remediation = remediation;
        this.guard = guard;
        this.updates = updates;
        this.fence = fence;
        this.applier = applier;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Decides and acts. The removal of deleted Machines goes on whatever the operation is.
     *
     * @param planned what the plan of the installation says
     * @param upgrade what is known of the cluster's release and its nodes; {@code null} before the installation is complete
     */
    public Outcome apply(
            ControlPlaneObservation observation,
            Cluster cluster,
            PlanStep.Planned planned,
            @Nullable UpgradeOutcome upgrade,
            WorkloadClusterQueries queries) {
        machines.record(observation);
        boolean upgrading = upgrade != null && upgrade.isMoving();
        Situation situation = situation(observation, upgrading, upgrade == null ? null : upgrade.seen());
        EtcdState etcd = null;
        Operation operation = Operation.next(situation, null);
        if (operation.action() instanceof Action.Ask) {
            etcd = queries.etcdState(observation.machines().size());
            if (etcd != null && etcd.health().reached()) {
                // What the upgrade step saw may be minutes old, or nothing yet after a start.
                ClusterUpgradeState now = queries.upgradeNow().orElse(null);
                situation = situation(observation, upgrading || (now != null && now.isMoving()), now);
                etcd = now == null ? null : etcd;
            }
            operation = Operation.next(situation, etcd);
        }
        remediation.report(observation, situation, etcd);
        guard.apply(observation, situation, etcd, queries);
        Outcome outcome = act(observation, cluster, planned, operation, queries);
        return outcome.with(removal.apply(observation, situation::floor, queries));
    }

    private Situation situation(
            ControlPlaneObservation observation, boolean upgrading, @Nullable ClusterUpgradeState seen) {
        String updatingNodes = updates.progress(ResourceID.fromResource(observation.controlPlane()), seen);
        return Situation.of(observation, upgrading, updatingNodes, clock.instant());
    }

    /** Drops the state of a deleted control plane. */
    public void forget(ResourceID controlPlane) {
        machines.forget(controlPlane);
    }

    private Outcome act(
            ControlPlaneObservation observation,
            Cluster cluster,
            PlanStep.Planned planned,
            Operation operation,
            WorkloadClusterQueries queries) {
        return switch (operation.action()) {
            case Action.Nothing ignored ->
                operation instanceof Operation.Upgrade
                        ? new Outcome(operation, new MachineStep.Creation.Waiting(UPGRADING), UPGRADING, false)
                        : Outcome.none(operation);
            case Action.Ask ignored -> waiting(operation, queries.askingAboutEtcd(ASKING));
            case Action.Defer defer -> waiting(operation, defer.message());
            case Action.Create create -> create(observation, cluster, planned, operation, create);
            case Action.Delete delete -> delete(observation, operation, delete.machine());
        };
    }

    private Outcome create(
            ControlPlaneObservation observation,
            Cluster cluster,
            PlanStep.Planned planned,
            Operation operation,
            Action.Create create) {
        if (cluster.isMarkedForDeletion()) {
            return waiting(operation, "the Cluster is being deleted: no Machine is created any more");
        }
        return planned.blocks()
                ? waiting(operation, BLOCKED)
                : new Outcome(
                        operation, machines.create(observation, cluster, create, planned.templates()), null, false);
    }

    private static Outcome waiting(Operation operation, String message) {
        boolean creates = operation instanceof Operation.Grow || operation instanceof Operation.Removal;
        return new Outcome(
                operation,
                creates ? new MachineStep.Creation.Waiting(message) : new MachineStep.Creation.Complete(),
                creates ? null : message,
                false);
    }

    /** Deletes the Machine unless it, or another that might have been chosen, has changed since the decision. */
    private Outcome delete(ControlPlaneObservation observation, Operation operation, Machine machine) {
        String obstacle = fence.obstacle(observation);
        if (obstacle != null) {
            return waiting(operation, obstacle);
        }
        if (!fence.seesMachinesAsTheyAre(observation)) {
            return again(operation);
        }
        if (operation instanceof Operation.Remediate remediate) {
            // Before the deletion: a crash between them leaves a record that the next reconcile finds outdated.
            remediation.begin(observation, remediate.verdict());
        }
        if (!applier.deleteIfUnchanged(machine)) {
            return again(operation);
        }
        events.tell(
                observation.controlPlane(),
                RecordedEvent.good(
                        EventReasons.DELETING_MACHINE,
                        "deleting Machine " + machine.getMetadata().getName() + ": " + why(operation)));
        return Outcome.none(operation);
    }

    private static Outcome again(Operation operation) {
        return new Outcome(operation, new MachineStep.Creation.Complete(), null, true);
    }

    private static String why(Operation operation) {
        return switch (operation) {
            case Operation.Remediate ignored -> "it is unhealthy and will be replaced";
            case Operation.RollOut ignored -> "it differs from the spec and is replaced";
            default -> "there are more than spec.replicas";
        };
    }
}
