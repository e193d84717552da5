package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.actors.Draft;
import io.capoa.lab.actors.Key;
import io.capoa.lab.nodes.WorkloadCluster;
import io.capoa.lab.nodes.WorkloadClusters;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Deletes a Machine in Cluster API's order: hooks and drain, infrastructure, bootstrap config, Node. */
final class MachineDeletion {

    private static final int NODE_DELETION_SECONDS = 10;
    private static final Duration RETRY = Duration.ofMillis(500);

    /** Whether the deletion is complete, else the requeue delay. */
    record Progress(boolean done, @Nullable Duration again) {
        static final Progress WAIT = new Progress(false, null);
        static final Progress DONE = new Progress(true, null);
    }

    private final Listings listings;
    private final Externals externals;
    private final WorkloadClusters workloads;

    MachineDeletion(Listings listings, Externals externals, WorkloadClusters workloads) {
        this.listings = listings;
        this.externals = externals;
        this.workloads = workloads;
    }

    Progress advance(Draft<Machine> draft, Cluster cluster) {
        Machine machine = draft.read();
        boolean node = mayDeleteNode(machine, cluster);
        if (node && Contract.hasHook(machine, Contract.PRE_DRAIN_HOOK)) {
            return wait(draft, "WaitingForPreDrainHook", "Waiting for pre-drain hooks to succeed");
        }
        // The drain takes no time: workload Nodes of the lab run no pods.
        if (Contract.hasHook(machine, Contract.PRE_TERMINATE_HOOK)) {
            return wait(draft, "WaitingForPreTerminateHook", "Waiting for pre-terminate hooks to succeed");
        }
        Reference infra = Reference.of(machine, "spec", "infrastructureRef");
        if (stillThere(infra)) {
            return wait(draft, "WaitingForInfrastructureDeletion", "Waiting for infrastructure to be deleted");
        }
        Reference config = Reference.of(machine, "spec", "bootstrap", "configRef");
        if (stillThere(config)) {
            return wait(draft, "WaitingForBootstrapDeletion", "Waiting for bootstrap config to be deleted");
        }
        return node ? deleteNode(draft, machine, cluster) : Progress.DONE;
    }

    private static Progress wait(Draft<Machine> draft, String reason, String message) {
        draft.condition("Deleting", "True", reason, message);
        return Progress.WAIT;
    }

    /** Deletes the object unless it is being deleted; whether it still exists. */
    private boolean stillThere(@Nullable Reference ref) {
        GenericKubernetesResource external = ref == null ? null : externals.get(ref);
        if (ref == null || external == null) {
            return false;
        }
        if (!Contract.isDeleting(external)) {
            externals.delete(ref);
        }
        return true;
    }

    private Progress deleteNode(Draft<Machine> draft, Machine machine, Cluster cluster) {
        WorkloadCluster workload = workloads.of(Key.of(cluster));
        if (workload != null) {
            workload.delete(String.valueOf(Fields.string(machine, "status", "nodeRef", "name")));
            return Progress.DONE;
        }
        Integer seconds = Fields.integer(machine, "spec", "deletion", "nodeDeletionTimeoutSeconds");
        int limit = seconds == null ? NODE_DELETION_SECONDS : seconds;
        Instant since = Instant.parse(machine.getMetadata().getDeletionTimestamp());
        // Zero means no limit (CAPI: nodeDeletionTimeoutSeconds).
        if (limit == 0 || Instant.now().isBefore(since.plusSeconds(limit))) {
            draft.condition("Deleting", "True", "DeletingNode", "Waiting for a connection to the workload cluster");
            return new Progress(false, RETRY);
        }
        return Progress.DONE;
    }

    /** Whether to delete the Node: not if its Cluster is being deleted, or if no control plane would be left. */
    private boolean mayDeleteNode(Machine machine, Cluster cluster) {
        if (Contract.isDeleting(cluster) || Fields.string(machine, "status", "nodeRef", "name") == null) {
            return false;
        }
        Reference ref = Reference.of(cluster, "spec", "controlPlaneRef");
        GenericKubernetesResource controlPlane = ref == null ? null : externals.get(ref);
        if (controlPlane != null) {
            if (Contract.isDeleting(controlPlane)) {
                return false;
            }
            if (Fields.isTrue(controlPlane, "status", "externalManagedControlPlane")) {
                return true;
            }
        }
        return listings.machinesOf(Key.of(cluster)).stream()
                .anyMatch(m -> Contract.isControlPlaneMachine(m) && !Contract.isDeleting(m));
    }
}
