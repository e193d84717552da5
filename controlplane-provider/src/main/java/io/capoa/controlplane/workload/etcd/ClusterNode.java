package io.capoa.controlplane.workload.etcd;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
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

    public static ClusterNode of(GenericKubernetesResource node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        Set<String> hostNames = reported(node, Set.of("Hostname", "InternalDNS"));
        return new ClusterNode(
                UntrustedContent.name(node.getMetadata().getName()),
                node.getMetadata().getUid(),
                Fields.string(node, "spec", "providerID"),
                reported(node, Set.of("InternalIP", "ExternalIP")),
                hostNames.isEmpty() ? Set.of(node.getMetadata().getName()) : hostNames,
                labels == null ? null : labels.get(HOST_UID),
                ConditionView.isTrue(node, "Ready"));
    }

    private static Set<String> reported(GenericKubernetesResource node, Set<String> types) {
        return Fields.list(node, "status", "addresses").stream()
                .filter(address -> types.contains(Fields.text(address, "type")))
                .map(address -> Fields.text(address, "address"))
                .filter(address -> !address.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }
}
