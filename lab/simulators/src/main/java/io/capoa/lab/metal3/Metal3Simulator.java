package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.CacheSyncGate;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates Metal3: Metal3Cluster, Metal3Machine and Metal3Remediation (CAPM3), BareMetalHost (baremetal-operator). A host in state {@code
 * provisioned} is powered on with {@code spec.image} and {@code spec.userData}; package {@code host} simulates the
 * rest.
 */
public final class Metal3Simulator implements AutoCloseable {

    private final Caches caches;
    private final WorkloadClusterConnections workloads;
    private final Caches.Cache<BareMetalHost> hosts;
    private final Caches.Cache<Metal3Cluster> metal3Clusters;
    private final Caches.Cache<Metal3Machine> metal3Machines;
    private final Caches.Cache<Metal3DataTemplate> dataTemplates;
    private final Caches.Cache<Machine> machines;
    private final Caches.Cache<Cluster> clusters;
    private final CacheSyncGate gate = new CacheSyncGate();
    private final WorkQueue hostLoop;
    private final WorkQueue clusterLoop;
    private final WorkQueue machineLoop;
    private final Caches.Cache<Metal3Remediation> remediations;
    private final WorkQueue remediationLoop;

    /** Watches all namespaces; the caller closes the client. */
    public Metal3Simulator(KubernetesClient client, Delays delays) {
        this(client, delays, null);
    }

    /** Watches one namespace, as with CAPM3's {@code --namespace}, or all if {@code null}. */
    public Metal3Simulator(KubernetesClient client, Delays delays, @Nullable String namespace) {
        caches = new Caches(client, namespace);
        workloads = new WorkloadClusterConnections(caches);
        hosts = caches.of(BareMetalHost.class);
        metal3Clusters = caches.of(Metal3Cluster.class);
        metal3Machines = caches.of(Metal3Machine.class);
        dataTemplates = caches.of(Metal3DataTemplate.class);
        machines = caches.of(Machine.class);
        clusters = caches.of(Cluster.class);
        Writes writes = new Writes(client, caches);
        var hostController = new BareMetalHostController(client, hosts, delays, writes);
        var clusterController = new Metal3ClusterController(metal3Clusters, metal3Machines, clusters, delays, writes);
        var machineController = new Metal3MachineController(
                metal3Machines,
                machines,
                clusters,
                dataTemplates,
                new HostClaim(hosts, writes),
                new ProviderIdMatch(workloads, metal3Clusters),
                writes);
        hostLoop = new WorkQueue("metal3-host", gate.behind(hostController::reconcile));
        clusterLoop = new WorkQueue("metal3-cluster", gate.behind(clusterController::reconcile));
        machineLoop = new WorkQueue("metal3-machine", gate.behind(machineController::reconcile));
        remediations = caches.of(Metal3Remediation.class);
        var remediationController = new Metal3RemediationController(
                new Metal3RemediationController.Sources(remediations, machines, metal3Machines, hosts, clusters),
                workloads,
                delays.get(Delays.Of.REMEDIATION),
                writes);
        remediationLoop = new WorkQueue("metal3-remediation", gate.behind(remediationController::reconcile));
    }

    /** Starts the informers; returns when they have synced. */
    public void start() {
        hostLoop.watch(hosts);
        clusterLoop.watch(metal3Clusters);
        machineLoop.watch(metal3Machines);
        remediationLoop.watch(remediations);
        hosts.onChange(this::hostChanged);
        dataTemplates.onChange(t -> enqueueUnready(t.getMetadata().getNamespace()));
        machines.onChange(this::machineChanged);
        metal3Machines.onChange(this::metal3MachineChanged);
        clusters.onChange(this::clusterChanged);
        workloads.onChange(this::enqueueMachinesOf);
        caches.start();
        gate.open();
    }

    /** Enqueues the consumer of a host; for a free host, all machines that wait for one. */
    private void hostChanged(BareMetalHost host) {
        String consumer = Fields.string(host, "spec", "consumerRef", "name");
        String namespace = host.getMetadata().getNamespace();
        if (consumer != null) {
            machineLoop.enqueue(new Key(namespace, consumer));
            enqueueRemediations(namespace);
        } else if (Metal3.state(host).equals("available") || Metal3.isDeleting(host)) {
            enqueueUnready(namespace);
        }
    }

    private void enqueueRemediations(String namespace) {
        remediations.list(namespace).forEach(remediation -> remediationLoop.enqueue(Key.of(remediation)));
    }

    private void enqueueUnready(String namespace) {
        metal3Machines
                .list(namespace)
                .filter(m -> !Fields.isTrue(m, "status", "initialization", "provisioned") || Metal3.isDeleting(m))
                .forEach(m -> machineLoop.enqueue(Key.of(m)));
    }

    private void machineChanged(Machine machine) {
        String name = Fields.string(machine, "spec", "infrastructureRef", "name");
        if (name != null) {
            machineLoop.enqueue(new Key(machine.getMetadata().getNamespace(), name));
        }
    }

    private void metal3MachineChanged(Metal3Machine metal3Machine) {
        if (Metal3.isDeleting(metal3Machine)) {
            metal3Clusters
                    .list(metal3Machine.getMetadata().getNamespace())
                    .filter(Metal3::isDeleting)
                    .forEach(c -> clusterLoop.enqueue(Key.of(c)));
        }
    }

    private void clusterChanged(Cluster cluster) {
        String name = Fields.string(cluster, "spec", "infrastructureRef", "name");
        if (name != null) {
            clusterLoop.enqueue(new Key(cluster.getMetadata().getNamespace(), name));
        }
        enqueueMachinesOf(Key.of(cluster));
    }

    private void enqueueMachinesOf(Key cluster) {
        machines.list(cluster.namespace())
                .filter(m -> cluster.name().equals(Fields.string(m, "spec", "clusterName")))
                .forEach(this::machineChanged);
        enqueueRemediations(cluster.namespace());
    }

    @Override
    public void close() {
        List.of(hostLoop, clusterLoop, machineLoop, remediationLoop).forEach(WorkQueue::close);
        workloads.close();
        caches.close();
    }
}
