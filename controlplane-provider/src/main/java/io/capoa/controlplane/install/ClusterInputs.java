package io.capoa.controlplane.install;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterDeploymentView;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.Networking;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the name and the networks of an installation, which come from the Cluster in part, so that admission of the control
 * plane does not see them all. assisted-service and the installer refuse the same, but for some only once hosts are taken.
 */
public final class ClusterInputs {

    /** OpenShift's limit: in DNS, {@code *.apps} becomes nine characters before the name. */
    private static final int LONGEST_NAME = 54;

    /** assisted-service wants room for 128 addresses in every network. */
    private static final int SMALLEST_BITS = 7;

    /** Nodes that a pod network must have subnets for, unless it is that of a single node. */
    private static final int FEWEST_SUBNETS = 4;

    /** Network plug-ins that divide the pod networks by the host prefix. */
    private static final Set<String> BY_HOST_PREFIX = Set.of("OVNKubernetes", "OpenShiftSDN");

    private static final String PODS = "spec.clusterNetwork.pods.cidrBlocks";
    private static final String SERVICES = "spec.clusterNetwork.services.cidrBlocks";

    private final ControlPlaneIdentity identity;
    private final ClusterConfig config;
    private final ClusterView cluster;

    private ClusterInputs(ControlPlaneIdentity identity, ClusterConfig config, Cluster cluster) {
        this.identity = identity;
        this.config = config;
        this.cluster = ClusterView.of(cluster);
    }

    /**
     * The first problem: field, what is wrong, and what to write instead.
     *
     * @param deployment if present, its cluster name is kept
     */
    public static Optional<String> problem(
            ControlPlaneIdentity identity,
            ClusterConfig config,
            Cluster cluster,
            @Nullable ClusterDeployment deployment) {
        return nameProblem(identity, config, cluster, deployment).or(() -> networkProblem(identity, config, cluster));
    }

    /** The problem of the OpenShift cluster's name. */
    public static Optional<String> nameProblem(
            ControlPlaneIdentity identity,
            ClusterConfig config,
            Cluster cluster,
            @Nullable ClusterDeployment deployment) {
        return new ClusterInputs(identity, config, cluster)
                .name(ClusterDeploymentView.of(deployment).clusterName());
    }

    /** The first problem of the networks: form, IP families, overlaps, and room for the control plane. */
    public static Optional<String> networkProblem(
            ControlPlaneIdentity identity, ClusterConfig config, Cluster cluster) {
        ClusterInputs inputs = new ClusterInputs(identity, config, cluster);
        return inputs.form(PODS, inputs.cluster.podCidrs())
                .or(() -> inputs.form(SERVICES, inputs.cluster.serviceCidrs()))
                .or(inputs::families)
                .or(inputs::overlap)
                .or(inputs::size);
    }

    /**
     * The first pod network without a subnet for each node.
     *
     * @param nodes of the whole cluster, workers included
     */
    public static Optional<String> roomProblem(
            ControlPlaneIdentity identity, ClusterConfig config, Cluster cluster, int nodes) {
        return new ClusterInputs(identity, config, cluster).size(nodes);
    }

    private Optional<String> name(@Nullable String registered) {
        String name = registered == null ? identity.openshiftClusterName() : registered;
        String what = name.equals(identity.clusterName())
                ? "the name of Cluster " + name + ", which is that of the OpenShift cluster,"
                : "the name of the OpenShift cluster, " + name + ",";
        if (name.length() > LONGEST_NAME) {
            return Optional.of(
                    "%s has %d characters, at most %d are possible: write a shorter name in spec.config.clusterName"
                            .formatted(what, name.length(), LONGEST_NAME));
        }
        Platform platform = Platform.of(config);
        return name.contains(".") && platform != Platform.NONE
                ? Optional.of(
                        "%s has a dot, which assisted-service takes on platform None alone, and the platform is %s: write a name without dots in spec.config.clusterName"
                                .formatted(what, platform.type()))
                : Optional.empty();
    }

    private Optional<String> form(String field, List<String> cidrs) {
        for (int i = 0; i < cidrs.size(); i++) {
            AddressBlock network = AddressBlock.parse(cidrs.get(i)).orElse(null);
            String what = "%s[%d] of Cluster %s, %s,".formatted(field, i, identity.clusterName(), cidrs.get(i));
            if (network == null) {
                return Optional.of(what + " is no network: write 10.128.0.0/14, for example");
            }
            if (network.hasHostBits()) {
                return Optional.of(what + " is an address in a network, not the network: write " + network);
            }
            if (network.prefix() > network.bits() - SMALLEST_BITS) {
                return Optional.of("%s has fewer than 128 addresses: write a network with a prefix of at most %d"
                        .formatted(what, network.bits() - SMALLEST_BITS));
            }
        }
        return Optional.empty();
    }

    private Optional<String> families() {
        List<FirstFamily> lists = new ArrayList<>();
        FirstFamily.of("spec.config.networking.machineNetwork", machines()).ifPresent(lists::add);
        if (Platform.of(config).hasVirtualAddresses()) {
            FirstFamily.of("spec.config.apiVIPs", blocks(config.apiVIPs())).ifPresent(lists::add);
            FirstFamily.of("spec.config.ingressVIPs", blocks(config.ingressVIPs()))
                    .ifPresent(lists::add);
        }
        String of = " of Cluster " + identity.clusterName();
        FirstFamily.of(SERVICES + of, services()).ifPresent(lists::add);
        FirstFamily.of(PODS + of, pods()).ifPresent(lists::add);
        return lists.stream()
                .flatMap(list -> list.problem(lists.getFirst()).stream().map(problem -> list.field() + " " + problem))
                .findFirst();
    }

    private Optional<String> overlap() {
        return overlap(SERVICES, services(), "network " + PODS, pods())
                .or(() -> overlap(PODS, pods(), "spec.config.networking.machineNetwork", machines()))
                .or(() -> overlap(SERVICES, services(), "spec.config.networking.machineNetwork", machines()));
    }

    private Optional<String> overlap(String field, List<AddressBlock> some, String other, List<AddressBlock> others) {
        return some.stream()
                .flatMap(block -> others.stream()
                        .filter(block::overlaps)
                        .map(overlapped ->
                                "%s of Cluster %s has %s, which overlaps with %s of %s: write networks that have no address in common"
                                        .formatted(field, identity.clusterName(), block, overlapped, other)))
                .findFirst();
    }

    /** Each node gets a subnet of each pod network. */
    private Optional<String> size() {
        Integer replicas = identity.controlPlane().getSpec().replicas();
        return size(replicas == null || replicas == 1 ? 1 : Math.max(FEWEST_SUBNETS, replicas));
    }

    private Optional<String> size(int nodes) {
        Networking settings = config.networking();
        String plugin = settings == null ? null : settings.networkType();
        if (plugin != null && !BY_HOST_PREFIX.contains(plugin)) {
            return Optional.empty();
        }
        return pods().stream()
                .flatMap(network -> size(network, Networks.hostPrefix(network.toString(), settings), nodes).stream())
                .findFirst();
    }

    private Optional<String> size(AddressBlock network, int hostPrefix, int nodes) {
        String field = "spec.config.networking.hostPrefix." + (network.bits() == 32 ? "ipv4" : "ipv6");
        int longest = network.bits() - SMALLEST_BITS;
        if (hostPrefix > longest) {
            return Optional.of("%s is %d, which gives a node fewer than 128 addresses: write at most %d"
                    .formatted(field, hostPrefix, longest));
        }
        int bits = hostPrefix - network.prefix();
        return bits >= Integer.SIZE - 1 || (bits >= 0 && 1 << bits >= nodes)
                ? Optional.empty()
                : Optional.of(
                        "%s of Cluster %s has %s, which cannot be divided into %d subnets of prefix %d, one for each node: write a larger network, or a longer %s"
                                .formatted(PODS, identity.clusterName(), network, nodes, hostPrefix, field));
    }

    private List<AddressBlock> pods() {
        return blocks(cluster.podCidrs());
    }

    private List<AddressBlock> services() {
        return blocks(cluster.serviceCidrs());
    }

    private List<AddressBlock> machines() {
        Networking settings = config.networking();
        List<Networking.MachineNetwork> networks = settings == null ? null : settings.machineNetwork();
        return networks == null
                ? List.of()
                : blocks(networks.stream().map(Networking.MachineNetwork::cidr).toList());
    }

    private static List<AddressBlock> blocks(@Nullable List<String> texts) {
        return texts == null
                ? List.of()
                : texts.stream()
                        .flatMap(text -> AddressBlock.parse(text).stream())
                        .toList();
    }
}
