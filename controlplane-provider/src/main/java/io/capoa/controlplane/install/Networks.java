package io.capoa.controlplane.install;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.Networking;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Desired {@code AgentClusterInstall.spec.networking}, from the Cluster's pod and service networks and the user's settings. */
final class Networks {

    /** A /23 per node: 510 pod addresses. */
    private static final int HOST_PREFIX_IPV4 = 23;
    /** The only prefix that OpenShift accepts for IPv6. */
    private static final int HOST_PREFIX_IPV6 = 64;

    private Networks() {}

    /** Builds the field; networks keep the user's order, because the first IP family is the primary one. */
    static Map<String, Object> desired(Cluster cluster, @Nullable ClusterConfig config) {
        Networking settings = config == null ? null : config.networking();
        SortedMap<String, Object> networking = new TreeMap<>();
        ClusterView view = ClusterView.of(cluster);
        List<String> pods = view.podCidrs();
        if (!pods.isEmpty()) {
            networking.put(
                    "clusterNetwork",
                    pods.stream()
                            .map(cidr -> new TreeMap<>(Map.of("cidr", cidr, "hostPrefix", hostPrefix(cidr, settings))))
                            .toList());
        }
        List<String> services = view.serviceCidrs();
        if (!services.isEmpty()) {
            networking.put("serviceNetwork", services);
        }
        if (Platform.of(config) == Platform.EXTERNAL) {
            networking.put("userManagedNetworking", true);
        }
        if (settings != null) {
            put(networking, "networkType", settings.networkType());
            put(networking, "userManagedNetworking", settings.userManagedNetworking());
            List<Networking.MachineNetwork> machines = settings.machineNetwork();
            if (machines != null && !machines.isEmpty()) {
                networking.put(
                        "machineNetwork",
                        machines.stream()
                                .map(network -> Map.of("cidr", network.cidr()))
                                .toList());
            }
        }
        return networking;
    }

    /** The user's prefix for networks of that family, else the usual one. */
    static int hostPrefix(String cidr, @Nullable Networking settings) {
        Networking.HostPrefix asked = settings == null ? null : settings.hostPrefix();
        boolean ipv6 = cidr.contains(":");
        Integer prefix = asked == null ? null : ipv6 ? asked.ipv6() : asked.ipv4();
        if (prefix != null) {
            return prefix;
        }
        return ipv6 ? HOST_PREFIX_IPV6 : HOST_PREFIX_IPV4;
    }

    private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }
}
