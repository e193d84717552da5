package io.capoa.controlplane.install;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Desired {@code AgentClusterInstall.spec.networking}, from the Cluster's pod and service networks. */
final class Networks {

    /** A /23 a node: 510 pod addresses. */
    private static final int HOST_PREFIX_IPV4 = 23;
    /** The one that OpenShift accepts for IPv6. */
    private static final int HOST_PREFIX_IPV6 = 64;

    private Networks() {}

    static Map<String, Object> desired(Cluster cluster) {
        Map<String, Object> networking = new TreeMap<>();
        List<String> pods = blocks(cluster, "pods");
        if (!pods.isEmpty()) {
            networking.put(
                    "clusterNetwork",
                    pods.stream()
                            .map(cidr -> new TreeMap<>(Map.of("cidr", cidr, "hostPrefix", hostPrefix(cidr))))
                            .toList());
        }
        List<String> services = blocks(cluster, "services");
        if (!services.isEmpty()) {
            networking.put("serviceNetwork", services);
        }
        return networking;
    }

    private static int hostPrefix(String cidr) {
        return cidr.contains(":") ? HOST_PREFIX_IPV6 : HOST_PREFIX_IPV4;
    }

    private static List<String> blocks(Cluster cluster, String network) {
        return Fields.list(cluster, "spec", "clusterNetwork", network, "cidrBlocks").stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }
}
