package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.nodes.WorkloadClusterConnection;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds a Machine's Node by provider ID and reports it in the Machine's status. */
final class MachineNode {

    private static final String READY = "NodeReady";
    private static final String HEALTHY = "NodeHealthy";

    private final WorkloadClusterConnections workloads;

    MachineNode(WorkloadClusterConnections workloads) {
        this.workloads = workloads;
    }

    void observe(WorkingCopy<Machine> working, Cluster cluster) {
        if (!Fields.isTrue(cluster, "status", "initialization", "infrastructureProvisioned")) {
            both(
                    working,
                    "Unknown",
                    "InspectionFailed",
                    "Waiting for Cluster status.initialization.infrastructureProvisioned to be true");
            return;
        }
        if (!Fields.isTrue(cluster, "status", "initialization", "controlPlaneInitialized")) {
            both(working, "Unknown", "InspectionFailed", "Waiting for Cluster control plane to be initialized");
            return;
        }
        WorkloadClusterConnection workload = workloads.of(Key.of(cluster));
        if (workload == null) {
            // What was last seen stays, for five minutes in Cluster API: a new kubeconfig is no new state of the Node.
            if (working.conditionReason(READY).isEmpty()) {
                both(working, "Unknown", "ConnectionDown", "Remote connection not established yet");
            }
            return;
        }
        Object providerId = working.get("spec", "providerID");
        if (providerId == null) {
            both(
                    working,
                    "Unknown",
                    "InspectionFailed",
                    "Waiting for " + infrastructure(working) + " to report spec.providerID");
            return;
        }
        Node node = find(workload.nodes(), providerId);
        if (node == null) {
            absent(working, providerId);
            return;
        }
        working.set(node.getMetadata().getName(), "status", "nodeRef", "name");
        working.set(info(node.getStatus() == null ? null : node.getStatus().getNodeInfo()), "status", "nodeInfo");
        conditions(working, node);
    }

    private static void absent(WorkingCopy<Machine> working, Object providerId) {
        Object name = working.get("status", "nodeRef", "name");
        if (name != null) {
            String still = Contract.isDeleting(working.read()) ? "" : " while the Machine still exists";
            both(working, "False", "NodeDeleted", "Node " + name + " has been deleted" + still);
        } else {
            both(
                    working,
                    "Unknown",
                    "NodeDoesNotExist",
                    "Waiting for a Node with spec.providerID " + providerId + " to exist");
        }
    }

    private static @Nullable Node find(List<Node> nodes, Object providerId) {
        return nodes.stream()
                .filter(n ->
                        n.getSpec() != null && providerId.equals(n.getSpec().getProviderID()))
                .findFirst()
                .orElse(null);
    }

    private static void conditions(WorkingCopy<Machine> working, Node node) {
        List<NodeCondition> conditions =
                node.getStatus() == null ? List.of() : node.getStatus().getConditions();
        String ready = conditions.stream()
                .filter(c -> c.getType().equals("Ready"))
                .map(NodeCondition::getStatus)
                .findFirst()
                .orElse("Unknown");
        String reason = ready.equals("True") ? READY : ready.equals("False") ? "NodeNotReady" : "NodeReadyUnknown";
        working.condition(READY, ready, reason, ready.equals("True") ? "" : "* Node.Ready: condition is " + ready);
        List<String> pressure = conditions.stream()
                .filter(c ->
                        List.of("MemoryPressure", "DiskPressure", "PIDPressure").contains(c.getType()))
                .filter(c -> c.getStatus().equals("True"))
                .map(c -> "* Node." + c.getType() + ": condition is True")
                .toList();
        if (!pressure.isEmpty()) {
            working.condition(HEALTHY, "False", "NodeNotHealthy", String.join("\n", pressure));
        } else if (ready.equals("True")) {
            working.condition(HEALTHY, "True", "NodeHealthy", "");
        } else {
            working.condition(
                    HEALTHY,
                    ready,
                    ready.equals("False") ? "NodeNotHealthy" : "NodeHealthyUnknown",
                    "* Node.Ready: condition is " + ready);
        }
    }

    private static void both(WorkingCopy<Machine> working, String status, String reason, String message) {
        working.condition(READY, status, reason, message);
        working.condition(HEALTHY, status, reason, message);
    }

    private static String infrastructure(WorkingCopy<Machine> working) {
        return String.valueOf(working.get("spec", "infrastructureRef", "kind"));
    }

    /** The fields that Cluster API's schema requires, or {@code null} until the kubelet reports them. */
    private static @Nullable Object info(@Nullable NodeSystemInfo info) {
        if (info == null) {
            return null;
        }
        var fields = new TreeMap<String, String>();
        fields.put("architecture", text(info.getArchitecture()));
        fields.put("bootID", text(info.getBootID()));
        fields.put("containerRuntimeVersion", text(info.getContainerRuntimeVersion()));
        fields.put("kernelVersion", text(info.getKernelVersion()));
        fields.put("kubeProxyVersion", text(info.getKubeProxyVersion()));
        fields.put("kubeletVersion", text(info.getKubeletVersion()));
        fields.put("machineID", text(info.getMachineID()));
        fields.put("operatingSystem", text(info.getOperatingSystem()));
        fields.put("osImage", text(info.getOsImage()));
        fields.put("systemUUID", text(info.getSystemUUID()));
        return fields;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
