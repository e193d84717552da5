package io.capoa.controlplane.workload;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A control plane Node of a workload cluster.
 *
 * @param providerId {@code null} while it has none
 * @param addresses internal and external IP addresses
 * @param hostNames its name and the host names that it reports
 * @param hostUid UID of its BareMetalHost, from label {@code metal3.io/uuid}; {@code null} without that label
 * @param ready whether its kubelet reports it ready
 */
public record ClusterNode(
        String name,
        String uid,
        @Nullable String providerId,
        Set<String> addresses,
        Set<String> hostNames,
        @Nullable String hostUid,
        boolean ready) {

    private static final String HOST_UID = "metal3.io/uuid";

    static ClusterNode of(Node node) {
        String id = node.getSpec() == null ? null : node.getSpec().getProviderID();
        Map<String, String> labels = node.getMetadata().getLabels();
        Set<String> hostNames = reported(node, Set.of("Hostname", "InternalDNS"));
        return new ClusterNode(
                node.getMetadata().getName(),
                node.getMetadata().getUid(),
                id == null || id.isEmpty() ? null : id,
                reported(node, Set.of("InternalIP", "ExternalIP")),
                hostNames.isEmpty() ? Set.of(node.getMetadata().getName()) : hostNames,
                labels == null ? null : labels.get(HOST_UID),
                isReady(node));
    }

    private static Set<String> reported(Node node, Set<String> types) {
        List<NodeAddress> addresses =
                node.getStatus() == null || node.getStatus().getAddresses() == null
                        ? List.of()
                        : node.getStatus().getAddresses();
        return addresses.stream()
                .filter(address -> types.contains(address.getType()))
                .map(NodeAddress::getAddress)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }
}
