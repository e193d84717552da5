package io.capoa.controlplane.extension;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.upgrade.NodeUpdate;
import io.capoa.runtime.manager.Registrar;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtime extension: lets Cluster API update worker Machines in place. It changes nothing itself; the cluster's
 * machine-config operator updates the nodes.
 */
public final class RuntimeExtension {

    private static final int HOOK_TIMEOUT_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeExtension.class);

    /** Reads of workload clusters at once; each holds a connection and its buffers. */
    private static final int MOST_READS = 16;

    private final ManagedClusters clusters;
    private final BiFunction<String, String, NodeUpdate> nodes;
    private final boolean callersAreKnown;
    private final UpdateLog updates = new UpdateLog();
    private final Semaphore reads = new Semaphore(MOST_READS);

    /**
     * The extension.
     *
     * @param nodes state of a Node, by kubeconfig and name
     * @param callersAreKnown by their certificates; others are not told why an update is not done
     */
    RuntimeExtension(ManagedClusters clusters, BiFunction<String, String, NodeUpdate> nodes, boolean callersAreKnown) {
        this.clusters = clusters;
        this.nodes = nodes;
        this.callersAreKnown = callersAreKnown;
    }

    /** Serves the hooks beside the webhooks. */
    public static void register(Registrar registrar) {
        ManagedClusters clusters = new LiveClusters(registrar.client(), registrar.scope());
        new RuntimeExtension(
                        clusters,
                        InstalledCluster::nodeUpdate,
                        registrar.options().webhookClientCaFile().isPresent())
                .serve(registrar::serve);
    }

    void serve(BiConsumer<String, HookHandler> server) {
        server.accept(Hook.DISCOVERY_PATH, new HookHandler("Discovery", request -> discovery()));
        for (Hook hook : Hook.values()) {
            server.accept(hook.path(), new HookHandler(hook.title(), request -> respond(hook, request)));
        }
    }

    /**
     * Lists the handlers for Cluster API. Their failure policy is Fail: with Ignore, Cluster API takes an extension that
     * does not answer for one that cannot update in place, and reinstalls the hosts.
     */
    private static HookResponse discovery() {
        ArrayNode handlers = JsonNodeFactory.instance.arrayNode();
        for (Hook hook : Hook.values()) {
            handlers.addObject()
                    .put("name", hook.handler())
                    .put("timeoutSeconds", HOOK_TIMEOUT_SECONDS)
                    .put("failurePolicy", "Fail")
                    .putObject("requestHook")
                    .put("apiVersion", Hook.API_VERSION)
                    .put("hook", hook.title());
        }
        return HookResponse.success().with("handlers", handlers);
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
        Wanted wanted = Wanted.of(request);
        if (callersAreKnown) {
            return state(wanted).orElseGet(HookResponse::success);
        }
        return isDone(wanted)
                ? HookResponse.success()
                : HookResponse.retry(
                        MachineUpdate.RETRY_SECONDS,
                        "Machine " + wanted.title() + ": the update is not done; the log of the control-plane provider"
                                + " says why, and with --webhook-client-ca-file this message");
    }

    /** Details go to the log only: callers are not authenticated. */
    private boolean isDone(Wanted wanted) {
        try {
            Optional<HookResponse> state = state(wanted);
            state.ifPresent(known -> updates.changed(wanted.title(), known.message()));
            return state.filter(HookResponse.success()::equals).isPresent();
        } catch (InvalidRequest e) {
            LOG.debug("A request to update Machine {}: {}", wanted.title(), e.getMessage());
            return false;
        }
    }

    /** The Machine to update. */
    private record Wanted(String namespace, String name, String cluster, Optional<KubernetesVersion> version) {

        static Wanted of(HookRequest request) throws InvalidRequest {
            return new Wanted(
                    request.name("desired", "machine", "metadata", "namespace"),
                    request.name("desired", "machine", "metadata", "name"),
                    request.name("desired", "machine", "spec", "clusterName"),
                    request.optionalVersion("desired", "machine", "spec", "version"));
        }

        String title() {
            return namespace + "/" + name;
        }
    }

    /** What its update waits for; empty if there is no such Machine. */
    private Optional<HookResponse> state(Wanted wanted) throws InvalidRequest {
        String namespace = wanted.namespace();
        String cluster = wanted.cluster();
        String title = wanted.title();
        ContractReference controlPlane = clusters.controlPlaneOf(namespace, cluster)
                .orElseThrow(() -> new InvalidRequest("desired.machine.spec.clusterName is " + cluster
                        + ", which is not a Cluster of an OpenshiftAssistedControlPlane"));
        Optional<Machine> machine = clusters.machine(namespace, wanted.name());
        if (machine.isEmpty()) {
            return Optional.empty();
        }
        MachineView view = MachineView.of(machine.get());
        if (!cluster.equals(view.clusterName())) {
            throw new InvalidRequest(
                    "desired.machine.spec.clusterName is " + cluster + ", Machine " + title + " is of another Cluster");
        }
        String node = view.nodeName();
        if (node == null) {
            return Optional.of(HookResponse.retry(
                    MachineUpdate.RETRY_SECONDS, "Machine " + title + " has no Node yet: its host is being installed"));
        }
        Optional<String> kubeconfig = clusters.kubeconfig(namespace, cluster);
        if (kubeconfig.isEmpty()) {
            return Optional.of(HookResponse.retry(
                    MachineUpdate.RETRY_SECONDS,
                    "Machine " + title + ": Secret " + cluster + "-kubeconfig has no kubeconfig, wait or restore it"));
        }
        Optional<KubernetesVersion> runs = clusters.version(namespace, controlPlane);
        return Optional.of(
                new MachineUpdate(title, wanted.version(), runs, node, read(kubeconfig.get(), node)).response());
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
