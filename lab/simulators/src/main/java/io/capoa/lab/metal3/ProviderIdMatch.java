package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.nodes.WorkloadClusterConnection;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the Node of a host and sets its provider ID, by CAPM3's rules. */
final class ProviderIdMatch {

    /**
     * @param providerId provider ID of the Metal3Machine, or {@code null}
     * @param message why there is none yet
     */
    record Result(@Nullable String providerId, String message) {}

    private final WorkloadClusterConnections workloads;
    private final Caches.Cache<Metal3Cluster> infra;

    ProviderIdMatch(WorkloadClusterConnections workloads, Caches.Cache<Metal3Cluster> infra) {
        this.workloads = workloads;
        this.infra = infra;
    }

    Result match(Metal3Machine metal3Machine, Machine machine, Cluster cluster, BareMetalHost host) {
        String wanted = Metal3.providerId(host, metal3Machine);
        WorkloadClusterConnection workload = workloads.of(Key.of(cluster));
        boolean bootstrapped = Fields.any(machine, "spec", "bootstrap", "configRef") != null;
        if (workload == null) {
            // CAPM3 waits for the label only if a bootstrap provider will set it.
            return bootstrapped
                    ? new Result(
                            null,
                            "Waiting for the API of the workload cluster (secret "
                                    + cluster.getMetadata().getName() + "-kubeconfig)")
                    : new Result(wanted, "");
        }
        List<Node> nodes = workload.nodes();
        if (nodes.stream().anyMatch(n -> wanted.equals(providerId(n)))) {
            return new Result(wanted, "");
        }
        if (isCloudProviderEnabled(cluster)) {
            return new Result(null, "Waiting for a node with spec.providerID " + wanted + " (cloudProviderEnabled)");
        }
        String label = bootstrapped ? Metal3.UUID_LABEL : "kubernetes.io/hostname";
        String value =
                bootstrapped ? host.getMetadata().getUid() : host.getMetadata().getName();
        List<Node> labelled =
                nodes.stream().filter(n -> value.equals(Metal3.label(n, label))).toList();
        if (labelled.isEmpty()) {
            return bootstrapped
                    ? new Result(null, "Waiting for a node with label " + label + "=" + value)
                    : new Result(wanted, "");
        }
        if (labelled.size() > 1) {
            return new Result(null, labelled.size() + " nodes have label " + label + "=" + value);
        }
        Node node = labelled.getFirst();
        String present = providerId(node);
        if (present != null) {
            return new Result(
                    null,
                    "Node " + node.getMetadata().getName() + " has spec.providerID " + present + ", not " + wanted);
        }
        workload.setProviderId(node, wanted);
        return new Result(wanted, "");
    }

    private boolean isCloudProviderEnabled(Cluster cluster) {
        String name = Fields.string(cluster, "spec", "infrastructureRef", "name");
        Metal3Cluster metal3Cluster =
                name == null ? null : infra.get(new Key(cluster.getMetadata().getNamespace(), name));
        return metal3Cluster != null && Fields.isTrue(metal3Cluster, "spec", "cloudProviderEnabled");
    }

    private static @Nullable String providerId(Node node) {
        String id = node.getSpec() == null ? null : node.getSpec().getProviderID();
        return id == null || id.isEmpty() ? null : id;
    }
}
