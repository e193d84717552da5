package io.capoa.lab.light;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.assisted.AssistedServiceSimulator;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.metal3.DirectProvisioning;
import io.capoa.lab.metal3.Metal3Cluster;
import io.capoa.lab.metal3.Metal3Machine;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.List;

/**
 * Cluster API core, Metal3 and hosts for clusters of three control planes: each object gets its last state in as few
 * writes as the providers need to see. Nothing is deleted, replaced, upgraded or fails.
 */
public final class LightPeers implements AutoCloseable {

    static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";

    private final AssistedServiceSimulator service;
    private final Caches caches;
    private final LightMachine machineController;
    private final WorkQueue clusters;
    private final WorkQueue machines;

    /**
     * Creates them; {@link #start()} starts them.
     *
     * @param client of a user with all rights; closed by the caller
     * @param service registers and installs their hosts; started after them, and closed by the caller
     */
    public LightPeers(KubernetesClient client, AssistedServiceSimulator service) {
        this.service = service;
        caches = new Caches(client);
        Writes writes = new Writes(client, caches);
        var clusterController = new LightCluster(
                caches.of(Cluster.class), caches.of(Metal3Cluster.class), caches.of(ControlPlane.class), writes);
        clusters = new WorkQueue("light-cluster", clusterController::reconcile);
        machineController = new LightMachine(
                new LightMachine.Sources(
                        caches.of(Machine.class),
                        caches.of(Cluster.class),
                        caches.of(Metal3Machine.class),
                        caches.of(BootstrapConfig.class),
                        caches.of(ControlPlane.class)),
                new DirectProvisioning(caches.of(BareMetalHost.class), writes),
                service,
                writes,
                key -> machines().enqueue(key));
        machines = new WorkQueue("light-machine", machineController::reconcile);
    }

    private WorkQueue machines() {
        return machines;
    }

    /** Starts the informers; returns when they have synced. */
    public LightPeers start() {
        service.withoutAgents(machineController::install);
        clusters.watch(caches.of(Cluster.class))
                .watch(caches.of(Metal3Cluster.class))
                .watch(caches.of(ControlPlane.class));
        machines.watch(caches.of(Machine.class))
                .watch(caches.of(BootstrapConfig.class))
                .watch(caches.of(Metal3Machine.class))
                .watch(caches.of(ControlPlane.class), this::initialized);
        caches.start();
        return this;
    }

    /** Machines whose control plane is initialized. */
    private Collection<Key> initialized(ControlPlane controlPlane) {
        return isInitialized(controlPlane)
                ? caches.of(Machine.class)
                        .list(controlPlane.getMetadata().getNamespace())
                        .map(Key::of)
                        .toList()
                : List.of();
    }

    static boolean isInitialized(ControlPlane controlPlane) {
        return Fields.isTrue(controlPlane, "status", "initialization", "controlPlaneInitialized");
    }

    static OwnerReference controller(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    @Override
    public void close() {
        clusters.close();
        machines.close();
        caches.close();
    }
}
