package io.capoa.controlplane.workload.removal;

import io.capoa.controlplane.workload.etcd.ClusterNode;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Matches a Machine with its Node. A Node that could also be another Machine's is ambiguous. */
sealed interface NodeMatch {

    /** The Node is the Machine's. */
    record Found(ClusterNode node) implements NodeMatch {}

    /** No Node is the Machine's. */
    record NoNode() implements NodeMatch {}

    /** It cannot be decided. */
    record Doubt(String message) implements NodeMatch {}

    /** How surely a Node belongs to a Machine, from not at all. */
    enum Claim {
        NONE,
        /** By name or address, which another host may have had before or may have now. */
        WEAK,
        /** By provider ID or UID of the host. */
        STRONG
    }

    /**
     * The Machine's Node.
     *
     * @param others all other Machines of the control plane
     */
    static NodeMatch of(MachineIdentity machine, List<MachineIdentity> others, List<ClusterNode> nodes) {
        List<ClusterNode> free = nodes.stream()
                .filter(node -> strongest(others, node) != Claim.STRONG)
                .toList();
        List<ClusterNode> certain = nodes.stream()
                .filter(node -> claim(machine, node) == Claim.STRONG)
                .toList();
        if (certain.size() == 1 && free.contains(certain.getFirst())) {
            return new Found(certain.getFirst());
        }
        if (!certain.isEmpty()) {
            return new Doubt("Node %s may be that of another Machine as well".formatted(names(certain)));
        }
        List<ClusterNode> likely =
                free.stream().filter(node -> claim(machine, node) == Claim.WEAK).toList();
        if (!likely.isEmpty()) {
            // A Machine that had a Node is known by its ID: what has the name alone may have registered after it.
            boolean alone = machine.node() == null
                    && strongest(others, likely.getFirst()) == Claim.NONE
                    && haveNodes(others, nodes);
            return likely.size() == 1 && alone
                    ? new Found(likely.getFirst())
                    : new Doubt(
                            "Node %s has no provider ID yet, and its name and addresses do not prove whether it is this Machine's"
                                    .formatted(names(likely)));
        }
        List<ClusterNode> unclaimed = free.stream()
                .filter(node -> strongest(others, node) == Claim.NONE)
                .toList();
        return machine.node() == null && !unclaimed.isEmpty()
                ? new Doubt("it is not known to have joined the cluster, and Node %s belongs to no Machine"
                        .formatted(names(unclaimed)))
                : new NoNode();
    }

    /** Whether it is certain of each which Node it has: one without could have any. */
    private static boolean haveNodes(List<MachineIdentity> machines, List<ClusterNode> nodes) {
        return machines.stream()
                .allMatch(machine -> nodes.stream().anyMatch(node -> claim(machine, node) == Claim.STRONG));
    }

    static Claim claim(MachineIdentity machine, ClusterNode node) {
        String wanted = machine.providerId();
        String actual = node.providerId();
        if (wanted != null && actual != null) {
            if (wanted.equals(actual)) {
                return Claim.STRONG;
            }
            if (scheme(wanted).equals(scheme(actual))) {
                return Claim.NONE;
            }
        }
        if (wanted != null && node.hostUid() != null && wanted.equals("metal3://" + node.hostUid())) {
            return Claim.STRONG;
        }
        if (machine.node() != null) {
            // Its Node may have been deleted and another host registered under the name: only the ID is proof.
            Claim byName = wanted == null ? Claim.STRONG : Claim.WEAK;
            return node.name().equals(machine.node()) ? byName : Claim.NONE;
        }
        boolean near = !Collections.disjoint(machine.addresses(), node.addresses())
                || !Collections.disjoint(machine.hostNames(), node.hostNames())
                || machine.hostNames().contains(node.name());
        return near ? Claim.WEAK : Claim.NONE;
    }

    private static Claim strongest(Collection<MachineIdentity> machines, ClusterNode node) {
        return machines.stream()
                .map(machine -> claim(machine, node))
                .max(Claim::compareTo)
                .orElse(Claim.NONE);
    }

    private static String scheme(String providerId) {
        int end = providerId.indexOf("://");
        return end < 0 ? "" : providerId.substring(0, end);
    }

    private static String names(List<ClusterNode> nodes) {
        return nodes.stream().map(ClusterNode::name).sorted().collect(Collectors.joining(", "));
    }
}
