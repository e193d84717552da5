package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reconciles a Cluster: adopts its infrastructure and control plane, and reports their state. */
final class ClusterController {

    private final Listings listings;
    private final Externals externals;
    private final Ownership ownership;
    private final WorkloadClusterConnections workloads;
    private final ClusterDeletion deletion;
    private final Writes writes;

    ClusterController(
            Listings listings,
            Externals externals,
            Ownership ownership,
            WorkloadClusterConnections workloads,
            ClusterDeletion deletion,
            Writes writes) {
        this.listings = listings;
        this.externals = externals;
        this.ownership = ownership;
        this.workloads = workloads;
        this.deletion = deletion;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        Cluster cluster = listings.clusters().get(key);
        if (cluster == null) {
            return null;
        }
        WorkingCopy<Cluster> working = new WorkingCopy<>(cluster);
        if (Paused.show(working, cluster)) {
            working.write(writes);
            return null;
        }
        working.set(cluster.getMetadata().getGeneration().intValue(), "status", "observedGeneration");
        if (Contract.isDeleting(cluster)) {
            if (deletion.advance(working)) {
                working.withoutFinalizer(Contract.CLUSTER_FINALIZER);
            }
        } else {
            working.finalizer(Contract.CLUSTER_FINALIZER);
            working.condition("Deleting", "False", "NotDeleting", "");
            infrastructure(working);
            controlPlane(working);
        }
        counters(working, key);
        CoreClusterConditions.write(working, connection(working, key));
        boolean gone = working.get("metadata", "finalizers") instanceof List<?> left && left.isEmpty();
        if (gone) {
            writes.patch(cluster, working.change());
        } else {
            working.write(writes);
        }
        return null;
    }

    private void infrastructure(WorkingCopy<Cluster> working) {
        Cluster cluster = working.read();
        Reference ref = Reference.of(cluster, "spec", "infrastructureRef");
        if (ref == null) {
            return;
        }
        GenericKubernetesResource infra = externals.get(ref);
        if (infra == null) {
            boolean was = working.isTrue("status", "initialization", "infrastructureProvisioned");
            working.condition(
                    "InfrastructureReady",
                    "False",
                    was ? "Deleted" : "DoesNotExist",
                    ref.kind() + " " + ref.name() + (was ? " has been deleted" : " does not exist"));
            return;
        }
        ownership.take(ref, infra, cluster, cluster.getMetadata().getName());
        boolean provisioned = Fields.isTrue(infra, "status", "initialization", "provisioned");
        ConditionMirror.mirror(
                working, "InfrastructureReady", infra, "Ready", provisioned, "status.initialization.provisioned");
        if (provisioned) {
            working.set(true, "status", "initialization", "infrastructureProvisioned");
            endpoint(working, infra);
            List<?> domains = Fields.list(infra, "status", "failureDomains");
            working.set(domains.isEmpty() ? null : domains, "status", "failureDomains");
        }
    }

    private void controlPlane(WorkingCopy<Cluster> working) {
        Cluster cluster = working.read();
        Reference ref = Reference.of(cluster, "spec", "controlPlaneRef");
        if (ref == null) {
            boolean node = listings.machinesOf(Key.of(cluster)).stream()
                    .filter(Contract::isControlPlaneMachine)
                    .anyMatch(m -> Fields.string(m, "status", "nodeRef", "name") != null);
            if (node) {
                working.set(true, "status", "initialization", "controlPlaneInitialized");
            }
            return;
        }
        GenericKubernetesResource controlPlane = externals.get(ref);
        if (controlPlane == null) {
            working.condition(
                    "ControlPlaneAvailable",
                    "False",
                    "DoesNotExist",
                    ref.kind() + " " + ref.name() + " does not exist");
            return;
        }
        ownership.take(ref, controlPlane, cluster, cluster.getMetadata().getName());
        boolean initialized = Fields.isTrue(controlPlane, "status", "initialization", "controlPlaneInitialized");
        ConditionMirror.mirror(
                working,
                "ControlPlaneAvailable",
                controlPlane,
                "Available",
                initialized,
                "status.initialization.controlPlaneInitialized");
        if (initialized) {
            working.set(true, "status", "initialization", "controlPlaneInitialized");
            endpoint(working, controlPlane);
        }
    }

    /** Copies the endpoint from the infrastructure cluster or control plane, once. */
    private static void endpoint(WorkingCopy<Cluster> working, GenericKubernetesResource from) {
        boolean has = working.get("spec", "controlPlaneEndpoint", "host") instanceof String host && !host.isEmpty();
        if (!has && !Fields.map(from, "spec", "controlPlaneEndpoint").isEmpty()) {
            working.set(Fields.map(from, "spec", "controlPlaneEndpoint"), "spec", "controlPlaneEndpoint");
        }
    }

    private void counters(WorkingCopy<Cluster> working, Key key) {
        List<Machine> machines = listings.machinesOf(key);
        Reference ref = Reference.of(working.read(), "spec", "controlPlaneRef");
        GenericKubernetesResource controlPlane = ref == null ? null : externals.get(ref);
        if (controlPlane != null) {
            for (String name : List.of("replicas", "readyReplicas", "availableReplicas", "upToDateReplicas")) {
                working.set(Fields.integer(controlPlane, "status", name), "status", "controlPlane", name);
            }
            working.set(Fields.integer(controlPlane, "spec", "replicas"), "status", "controlPlane", "desiredReplicas");
        } else {
            Counters.of(select(machines, Contract::isControlPlaneMachine)).into(working, "status", "controlPlane");
        }
        var deployments = listings.machineDeploymentsOf(key);
        Counters workers = Counters.of(
                select(machines, m -> !Contract.isControlPlaneMachine(m) && Contract.controllerOf(m) == null));
        int desired = workers.replicas();
        for (var deployment : deployments) {
            workers = workers.plus(new Counters(
                    count(deployment, "replicas"),
                    count(deployment, "readyReplicas"),
                    count(deployment, "availableReplicas"),
                    count(deployment, "upToDateReplicas")));
            desired += Objects.requireNonNullElse(Fields.integer(deployment, "spec", "replicas"), 1);
        }
        workers.into(working, "status", "workers");
        working.set(desired, "status", "workers", "desiredReplicas");
        var bad = deployments.stream()
                .filter(d -> !ConditionView.isTrue(d, "Available"))
                .map(d -> "* MachineDeployment " + d.getMetadata().getName() + " is not Available")
                .toList();
        working.condition(
                "WorkersAvailable",
                bad.isEmpty() ? "True" : "False",
                deployments.isEmpty() ? "NoWorkers" : bad.isEmpty() ? "Available" : "NotAvailable",
                String.join("\n", bad));
    }

    private boolean connection(WorkingCopy<Cluster> working, Key key) {
        return !Contract.isDeleting(working.read())
                && working.isTrue("status", "initialization", "controlPlaneInitialized")
                && workloads.of(key) != null;
    }

    private static int count(GenericKubernetesResource resource, String name) {
        return Objects.requireNonNullElse(Fields.integer(resource, "status", name), 0);
    }

    private static List<Machine> select(List<Machine> machines, Predicate<Machine> matching) {
        return machines.stream().filter(matching).toList();
    }
}
