package io.capoa.controlplane.extension;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.NodeUpdate;
import io.capoa.runtime.manager.Registrar;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The runtime extension: lets Cluster API update worker Machines in place. It changes nothing itself; the cluster's
 * machine-config operator updates the nodes.
 */
public final class RuntimeExtension {

    /** Reads of workload clusters at once; each holds a connection and its buffers. */
    private static final int MOST_READS = 16;

    private final ManagedClusters clusters;
    private final BiFunction<String, String, NodeUpdate> nodes;
    private final Semaphore reads = new Semaphore(MOST_READS);

    /**
     * The extension.
     *
     * @param nodes state of a Node, by kubeconfig and name
     */
    RuntimeExtension(ManagedClusters clusters, BiFunction<String, String, NodeUpdate> nodes) {
        this.clusters = clusters;
        this.nodes = nodes;
    }

    /** Serves the hooks beside the webhooks. */
    public static void register(Registrar registrar) {
        ManagedClusters clusters = new LiveClusters(registrar.client(), registrar.scope());
        new RuntimeExtension(clusters, InstalledCluster::nodeUpdate).serve(registrar::serve);
    }

    void serve(BiConsumer<String, HookHandler> server) {
        server.accept(Hook.DISCOVERY_PATH, new HookHandler("Discovery", request -> Discovery.response()));
        for (Hook hook : Hook.values()) {
            server.accept(hook.path(), new HookHandler(hook.title(), request -> respond(hook, request)));
        }
    }

    private HookResponse respond(Hook hook, HookRequest request) throws InvalidRequest {
        try {
            return switch (hook) {
                case CAN_UPDATE_MACHINE_SET -> canUpdate(request, "machineSet", VersionChange::ofSet);
                case CAN_UPDATE_MACHINE -> canUpdate(request, "machine", VersionChange::ofMachine);
                case UPDATE_MACHINE -> update(request);
                case GENERATE_UPGRADE_PLAN -> UpgradePlan.of(request);
            };
        } catch (KubernetesClientException e) {
            String answer = e.getCode() > 0 ? "it answered " + e.getCode() : "no connection";
            return HookResponse.failure("the API server of the management cluster cannot be read: " + answer);
        }
    }

    private HookResponse canUpdate(HookRequest request, String object, HookHandler.Decision decision)
            throws InvalidRequest {
        HookResponse response = decision.of(request);
        String namespace = request.name("desired", object, "metadata", "namespace");
        String cluster = request.name("desired", object, "spec", "clusterName");
        return clusters.controlPlaneOf(namespace, cluster).isPresent() ? response : HookResponse.success();
    }

    private HookResponse update(HookRequest request) throws InvalidRequest {
        String namespace = request.name("desired", "machine", "metadata", "namespace");
        String name = request.name("desired", "machine", "metadata", "name");
        String cluster = request.name("desired", "machine", "spec", "clusterName");
        Optional<KubernetesVersion> target = request.optionalVersion("desired", "machine", "spec", "version");
        String title = namespace + "/" + name;
        ContractReference controlPlane = clusters.controlPlaneOf(namespace, cluster)
                .orElseThrow(() -> new InvalidRequest("desired.machine.spec.clusterName is " + cluster
                        + ", which is not a Cluster of an OpenshiftAssistedControlPlane"));
        Optional<Machine> machine = clusters.machine(namespace, name);
        if (machine.isEmpty()) {
            return HookResponse.success();
        }
        MachineView view = MachineView.of(machine.get());
        if (!cluster.equals(view.clusterName())) {
            throw new InvalidRequest(
                    "desired.machine.spec.clusterName is " + cluster + ", Machine " + title + " is of another Cluster");
        }
        String node = view.nodeName();
        if (node == null) {
            return HookResponse.retry(
                    MachineUpdate.RETRY_SECONDS, "Machine " + title + " has no Node yet: its host is being installed");
        }
        Optional<String> kubeconfig = clusters.kubeconfig(namespace, cluster);
        if (kubeconfig.isEmpty()) {
            return HookResponse.retry(
                    MachineUpdate.RETRY_SECONDS,
                    "Machine " + title + ": Secret " + cluster + "-kubeconfig has no kubeconfig, wait or restore it");
        }
        Optional<KubernetesVersion> runs = clusters.version(namespace, controlPlane);
        return new MachineUpdate(title, target, runs, node, read(kubeconfig.get(), node)).response();
    }

    private NodeUpdate read(String kubeconfig, String node) {
        if (!reads.tryAcquire()) {
            return NodeUpdate.unreachable("too many clusters are being read, it is tried again");
        }
        try {
            return nodes.apply(kubeconfig, node);
        } finally {
            reads.release();
        }
    }
}
