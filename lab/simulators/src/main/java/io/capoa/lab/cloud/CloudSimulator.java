package io.capoa.lab.cloud;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.CacheSyncGate;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.host.Instances;
import io.capoa.lab.workload.CloudInstances;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Simulates a cloud with its infrastructure provider: LabCloudCluster (network and load balancer) and LabCloudMachine (an
 * instance), by Cluster API's v1beta2 contract and in an API group of its own.
 */
public final class CloudSimulator implements AutoCloseable, CloudInstances {

    private static final String GROUP = "infrastructure.lab.capoa.io";

    private final Caches caches;
    private final Instances instances;
    private final MetadataService metadata;
    private final Caches.Cache<LabCloudCluster> cloudClusters;
    private final Caches.Cache<LabCloudMachine> cloudMachines;
    private final Caches.Cache<Machine> machines;
    private final Caches.Cache<Cluster> clusters;
    private final CloudMachineController machineController;
    private final CacheSyncGate gate = new CacheSyncGate();
    private final WorkQueue clusterLoop;
    private final WorkQueue machineLoop;

    /**
     * Watches all namespaces; the caller closes the client.
     *
     * @param instances runs the instances; closed with the simulator
     */
    public CloudSimulator(KubernetesClient client, Delays delays, Instances instances) throws IOException {
        this.instances = instances;
        caches = new Caches(client);
        cloudClusters = caches.of(LabCloudCluster.class);
        cloudMachines = caches.of(LabCloudMachine.class);
        machines = caches.of(Machine.class);
        clusters = caches.of(Cluster.class);
        metadata = new MetadataService();
        Writes writes = new Writes(client, caches);
        var clusterController = new CloudClusterController(caches, delays, writes);
        machineController = new CloudMachineController(caches, instances, metadata, client, delays, writes);
        clusterLoop = new WorkQueue("cloud-cluster", gate.behind(clusterController::reconcile));
        machineLoop = new WorkQueue("cloud-machine", gate.behind(machineController::reconcile));
    }

    /** Starts the informers; returns when they have synced. */
    public CloudSimulator start() {
        clusterLoop.watch(cloudClusters);
        machineLoop.watch(cloudMachines);
        machines.onChange(this::machineChanged);
        clusters.onChange(this::clusterChanged);
        cloudMachines.onChange(machine -> cloudClusters
                .list(machine.getMetadata().getNamespace())
                .filter(CloudObjects::isDeleting)
                .forEach(cluster -> clusterLoop.enqueue(Key.of(cluster))));
        caches.start();
        gate.open();
        return this;
    }

    private void machineChanged(Machine machine) {
        String name = Fields.string(machine, "spec", "infrastructureRef", "name");
        if (name != null && GROUP.equals(Fields.string(machine, "spec", "infrastructureRef", "apiGroup"))) {
            machineLoop.enqueue(new Key(machine.getMetadata().getNamespace(), name));
        }
    }

    private void clusterChanged(Cluster cluster) {
        String namespace = cluster.getMetadata().getNamespace();
        cloudClusters.list(namespace).forEach(known -> clusterLoop.enqueue(Key.of(known)));
        machines.list(namespace)
                .filter(machine ->
                        cluster.getMetadata().getName().equals(Fields.string(machine, "spec", "clusterName")))
                .forEach(this::machineChanged);
    }

    @Override
    public Optional<Instance> find(String hostname) {
        return machineController.find(hostname);
    }

    /** Whether the instance of a LabCloudMachine exists. */
    public boolean isRunning(String namespace, String machine) {
        return instances.isRunning(new Key(namespace, machine));
    }

    @Override
    public void close() {
        List.of(clusterLoop, machineLoop).forEach(WorkQueue::close);
        caches.close();
        instances.close();
        metadata.close();
    }
}
