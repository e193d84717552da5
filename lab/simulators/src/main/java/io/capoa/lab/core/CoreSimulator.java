package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.CacheSyncGate;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.extension.RuntimeExtensions;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates Cluster API core: Cluster, Machine, MachineSet, MachineDeployment and MachineHealthCheck controllers of the
 * v1beta2 contract, without delays.
 */
public final class CoreSimulator implements AutoCloseable {

    private final Caches caches;
    private final Listings listings;
    private final WorkloadClusterConnections workloads;
    private final CacheSyncGate gate = new CacheSyncGate();
    private final WorkQueue clusters;
    private final WorkQueue machines;
    private final WorkQueue machineSets;
    private final WorkQueue machineDeployments;
    private final Caches.Cache<MachineHealthCheck> healthChecks;
    private final WorkQueue healthCheckLoop;
    private final RuntimeExtensions extensions;
    private final WorkQueue extensionConfigs;

    /** Watches all namespaces; the caller closes the client. */
    public CoreSimulator(KubernetesClient client) {
        this(client, null);
    }

    /** Watches one namespace, as with Cluster API's {@code --namespace}, or all if {@code null}. */
    public CoreSimulator(KubernetesClient client, @Nullable String namespace) {
        caches = new Caches(client, namespace);
        listings = Listings.of(caches);
        workloads = new WorkloadClusterConnections(caches);
        Externals externals = new Externals(client, caches);
        Ownership ownership = new Ownership(externals);
        Writes writes = new Writes(client, caches);
        extensions = new RuntimeExtensions(client, caches, writes);
        var clusterController = new ClusterController(
                listings, externals, ownership, workloads, new ClusterDeletion(listings, externals, writes), writes);
        var machineController = new MachineController(
                listings,
                externals,
                ownership,
                new MachineNode(workloads),
                new MachineDeletion(listings, externals, workloads),
                new MachineUpdates(extensions, externals),
                writes);
        var machineSetController = new MachineSetController(
                listings,
                externals,
                new MachineClones(externals, writes),
                new MachineMoves(listings, externals, writes),
                writes);
        var machineDeploymentController = new MachineDeploymentController(
                listings, new MachineSetTemplate(), new InPlaceDecisions(extensions, externals), writes);
        clusters = new WorkQueue("core-cluster", gate.behind(clusterController::reconcile));
        machines = new WorkQueue("core-machine", gate.behind(machineController::reconcile));
        machineSets = new WorkQueue("core-machineset", gate.behind(machineSetController::reconcile));
        machineDeployments =
                new WorkQueue("core-machinedeployment", gate.behind(machineDeploymentController::reconcile));
        healthChecks = caches.of(MachineHealthCheck.class);
        var healthCheckController = new MachineHealthCheckController(
                healthChecks, listings, workloads, new RemediationRequests(externals), writes);
        healthCheckLoop = new WorkQueue("core-machinehealthcheck", gate.behind(healthCheckController::reconcile));
        extensionConfigs = new WorkQueue("core-extensionconfig", gate.behind(extensions::reconcile));
        externals.onChange(this::externalChanged);
        workloads.onChange(this::workloadChanged);
    }

    /** Starts the informers; returns when they have synced. */
    public void start() {
        clusters.watch(listings.clusters());
        machines.watch(listings.machines());
        machineSets.watch(listings.machineSets());
        machineDeployments.watch(listings.machineDeployments());
        healthCheckLoop.watch(healthChecks);
        extensionConfigs.watch(extensions.configs());
        listings.clusters().onChange(this::clusterChanged);
        listings.machines().onChange(this::machineChanged);
        listings.machineSets().onChange(set -> {
            clusters.enqueue(Listings.clusterKey(set));
            enqueueController(machineDeployments, set, "MachineDeployment");
        });
        listings.machineDeployments().onChange(d -> clusters.enqueue(Listings.clusterKey(d)));
        caches.start();
        gate.open();
    }

    private void clusterChanged(Cluster cluster) {
        Key key = Key.of(cluster);
        listings.machinesOf(key).forEach(m -> machines.enqueue(Key.of(m)));
        listings.machineSetsOf(key).forEach(s -> machineSets.enqueue(Key.of(s)));
        listings.machineDeploymentsOf(key).forEach(d -> machineDeployments.enqueue(Key.of(d)));
        enqueueHealthChecks(key);
    }

    private void enqueueHealthChecks(Key cluster) {
        healthChecks
                .list(cluster.namespace())
                .filter(check -> Listings.clusterKey(check).equals(cluster))
                .forEach(check -> healthCheckLoop.enqueue(Key.of(check)));
    }

    private void machineChanged(Machine machine) {
        clusters.enqueue(Listings.clusterKey(machine));
        enqueueHealthChecks(Listings.clusterKey(machine));
        enqueueController(machineSets, machine, "MachineSet");
        String deployment = Contract.label(machine, Contract.DEPLOYMENT_NAME);
        if (deployment != null) {
            machineDeployments.enqueue(new Key(machine.getMetadata().getNamespace(), deployment));
        }
    }

    /**
     * Enqueues all Machines of the cluster: those without a Node or with a changed one are affected, and the rest is
     * cheap.
     */
    private void workloadChanged(Key cluster) {
        if (listings.clusters().get(cluster) != null) {
            clusters.enqueue(cluster);
            enqueueHealthChecks(cluster);
            listings.machinesOf(cluster).forEach(m -> machines.enqueue(Key.of(m)));
        }
    }

    private void externalChanged(GenericKubernetesResource external) {
        String namespace = external.getMetadata().getNamespace();
        OwnerReference controller = Contract.controllerOf(external);
        if (controller != null && controller.getKind().equals("Machine")) {
            machines.enqueue(new Key(namespace, controller.getName()));
        } else if (controller != null && controller.getKind().equals("Cluster")) {
            Key cluster = new Key(namespace, controller.getName());
            clusters.enqueue(cluster);
            listings.machineSetsOf(cluster).forEach(s -> machineSets.enqueue(Key.of(s)));
        } else {
            findReferrers(external, namespace);
        }
    }

    private void findReferrers(GenericKubernetesResource external, String namespace) {
        if (external.getKind().endsWith("Template")) {
            listings.machineSets()
                    .list(namespace)
                    .filter(s -> refersTo(s, external, "spec", "template", "spec"))
                    .forEach(s -> machineSets.enqueue(Key.of(s)));
            return;
        }
        listings.machines()
                .list(namespace)
                .filter(m -> refersTo(m, external, "spec"))
                .forEach(m -> machines.enqueue(Key.of(m)));
        for (Cluster cluster : listings.clusters().list(namespace).toList()) {
            if (isTo(Reference.of(cluster, "spec", "infrastructureRef"), external)) {
                clusters.enqueue(Key.of(cluster));
            }
            if (isTo(Reference.of(cluster, "spec", "controlPlaneRef"), external)) {
                clusters.enqueue(Key.of(cluster));
            }
        }
    }

    private static boolean refersTo(
            GenericKubernetesResource resource, GenericKubernetesResource external, String... spec) {
        return List.of(List.of("bootstrap", "configRef"), List.of("infrastructureRef")).stream()
                .map(path -> Reference.of(
                        resource.getMetadata().getNamespace(),
                        Fields.any(Fields.any(resource, spec), path.toArray(String[]::new))))
                .anyMatch(ref -> isTo(ref, external));
    }

    private static boolean isTo(@org.jspecify.annotations.Nullable Reference ref, GenericKubernetesResource external) {
        return ref != null && ref.isTo(external);
    }

    private static void enqueueController(WorkQueue queue, GenericKubernetesResource resource, String kind) {
        OwnerReference controller = Contract.controllerOf(resource);
        if (controller != null && controller.getKind().equals(kind)) {
            queue.enqueue(new Key(resource.getMetadata().getNamespace(), controller.getName()));
        }
    }

    @Override
    public void close() {
        List.of(clusters, machines, machineSets, machineDeployments, healthCheckLoop, extensionConfigs)
                .forEach(WorkQueue::close);
        workloads.close();
        caches.close();
    }
}
