package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.nodes.WorkloadClusterConnection;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes a Machine in Cluster API's order: pre-drain hooks, drain, pre-terminate hooks, infrastructure, bootstrap config,
 * Node.
 */
final class MachineDeletion {

    private static final Logger LOG = LoggerFactory.getLogger(MachineDeletion.class);
    private static final String DRAIN_STARTED = "nodeDrainStartTime";
    private static final String PRE_TERMINATE_STARTED = "waitForPreTerminateHookStartTime";
    private static final int NODE_DELETION_SECONDS = 10;
    private static final Duration RETRY = Duration.ofMillis(500);

    /** Whether the deletion is complete, else the requeue delay. */
    record Progress(boolean done, @Nullable Duration again) {
        static final Progress WAIT = new Progress(false, null);
        static final Progress DONE = new Progress(true, null);
    }

    private final Listings listings;
    private final Externals externals;
    private final WorkloadClusterConnections workloads;

    MachineDeletion(Listings listings, Externals externals, WorkloadClusterConnections workloads) {
        this.listings = listings;
        this.externals = externals;
        this.workloads = workloads;
    }

    Progress advance(WorkingCopy<Machine> working, Cluster cluster) {
        Machine machine = working.read();
        boolean node = mayDeleteNode(machine, cluster);
        if (node) {
            List<String> hooks = Contract.hooks(machine, Contract.PRE_DRAIN_HOOK);
            if (!hooks.isEmpty()) {
                started(working, "waitForPreDrainHookStartTime");
                return wait(working, "WaitingForPreDrainHook", "pre-drain", hooks);
            }
            if (mayDrain(machine) && !drain(working, machine, cluster)) {
                return new Progress(false, RETRY);
            }
        }
        List<String> hooks = Contract.hooks(machine, Contract.PRE_TERMINATE_HOOK);
        if (!hooks.isEmpty()) {
            started(working, PRE_TERMINATE_STARTED);
            return wait(working, "WaitingForPreTerminateHook", "pre-terminate", hooks);
        }
        Reference infra = Reference.of(machine, "spec", "infrastructureRef");
        if (stillThere(infra)) {
            return wait(working, "WaitingForInfrastructureDeletion", "Waiting for infrastructure to be deleted");
        }
        Reference config = Reference.of(machine, "spec", "bootstrap", "configRef");
        if (stillThere(config)) {
            return wait(working, "WaitingForBootstrapDeletion", "Waiting for bootstrap config to be deleted");
        }
        return node ? deleteNode(working, machine, cluster) : Progress.DONE;
    }

    /** Not again once the pre-terminate hooks are waited for, nor for a host that is being released. */
    private boolean mayDrain(Machine machine) {
        Reference infra = Reference.of(machine, "spec", "infrastructureRef");
        GenericKubernetesResource external = infra == null ? null : externals.find(infra);
        return !Contract.hasAnnotation(machine, Contract.EXCLUDE_NODE_DRAINING)
                && Fields.string(machine, "status", "deletion", PRE_TERMINATE_STARTED) == null
                && external != null
                && !Contract.isDeleting(external)
                && !isDrainOverdue(machine);
    }

    private static boolean isDrainOverdue(Machine machine) {
        Integer limit = Fields.integer(machine, "spec", "deletion", "nodeDrainTimeoutSeconds");
        String since = Fields.string(machine, "status", "deletion", DRAIN_STARTED);
        return limit != null
                && limit > 0
                && since != null
                && !Instant.now().isBefore(Instant.parse(since).plusSeconds(limit));
    }

    /** Cordons the Node; Nodes of the lab run no pods that could be evicted. Whether the drain is complete. */
    private boolean drain(WorkingCopy<Machine> working, Machine machine, Cluster cluster) {
        started(working, DRAIN_STARTED);
        WorkloadClusterConnection workload = workloads.of(Key.of(cluster));
        try {
            if (workload != null) {
                workload.cordon(String.valueOf(Fields.string(machine, "status", "nodeRef", "name")));
                return true;
            }
        } catch (KubernetesClientException e) {
            LOG.debug(
                    "Machine {}: its Node cannot be drained",
                    machine.getMetadata().getName(),
                    e);
        }
        working.condition(
                "Deleting", "True", "DrainingNode", "Error draining Node, please check controller logs for errors");
        return false;
    }

    private static void started(WorkingCopy<Machine> working, String time) {
        if (working.get("status", "deletion", time) == null) {
            working.set(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), "status", "deletion", time);
        }
    }

    private static Progress wait(WorkingCopy<Machine> working, String reason, String kind, List<String> hooks) {
        return wait(
                working,
                reason,
                "Waiting for %s hooks to succeed (hooks: %s)".formatted(kind, String.join(",", hooks)));
    }

    private static Progress wait(WorkingCopy<Machine> working, String reason, String message) {
        working.condition("Deleting", "True", reason, message);
        return Progress.WAIT;
    }

    /** Deletes the object unless it is being deleted; whether it still exists. */
    private boolean stillThere(@Nullable Reference ref) {
        GenericKubernetesResource external = ref == null ? null : externals.find(ref);
        if (ref == null || external == null) {
            return false;
        }
        if (!Contract.isDeleting(external)) {
            externals.delete(ref);
        }
        return true;
    }

    private Progress deleteNode(WorkingCopy<Machine> working, Machine machine, Cluster cluster) {
        WorkloadClusterConnection workload = workloads.of(Key.of(cluster));
        if (workload != null) {
            workload.delete(String.valueOf(Fields.string(machine, "status", "nodeRef", "name")));
            return Progress.DONE;
        }
        Integer seconds = Fields.integer(machine, "spec", "deletion", "nodeDeletionTimeoutSeconds");
        int limit = seconds == null ? NODE_DELETION_SECONDS : seconds;
        Instant since = Instant.parse(machine.getMetadata().getDeletionTimestamp());
        // Zero means no limit (CAPI: nodeDeletionTimeoutSeconds).
        if (limit == 0 || Instant.now().isBefore(since.plusSeconds(limit))) {
            working.condition("Deleting", "True", "DeletingNode", "Waiting for a connection to the workload cluster");
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
