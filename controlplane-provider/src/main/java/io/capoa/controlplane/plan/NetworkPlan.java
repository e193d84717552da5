package io.capoa.controlplane.plan;

import io.capoa.api.contract.Cluster;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ClusterInputs;
import io.capoa.controlplane.install.Platform;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Cluster name, networks, virtual addresses and the DNS names that have to exist.
 *
 * @param names in the order api, api-int, apps
 */
record NetworkPlan(List<DnsName> names, List<PlanFinding> findings) {

    /**
     * A name that has to resolve.
     *
     * @param name {@code *} stands for any label
     * @param addresses that it resolves to; empty if they are those of the user's load balancer
     */
    record DnsName(String name, List<String> addresses) {}

    /** Looks names up. */
    interface Resolver {

        /** The addresses of a name; empty if it has none. */
        List<String> addresses(String name);
    }

    /**
     * Judges a cluster's networks.
     *
     * @param nodes of the whole cluster
     * @param resolver {@code null} if no name is looked up
     */
    static NetworkPlan of(
            ControlPlaneIdentity identity,
            ClusterConfig config,
            Cluster cluster,
            int nodes,
            List<InspectedHost> hosts,
            @Nullable Resolver resolver) {
        Subject controlPlane = Subject.of(identity.controlPlane());
        List<PlanFinding> findings = new ArrayList<>();
        ClusterInputs.nameProblem(identity, config, cluster, null)
                .ifPresent(sentence -> findings.add(
                        problem(PlanCheck.CLUSTER_NAME, controlPlane, "spec.config.clusterName", sentence)));
        Subject network = Subject.of(cluster);
        Optional<String> networks = ClusterInputs.networkProblem(identity, config, cluster);
        networks.ifPresent(
                sentence -> findings.add(problem(PlanCheck.NETWORKS, network, "spec.clusterNetwork", sentence)));
        if (networks.isEmpty()) {
            ClusterInputs.roomProblem(identity, config, cluster, nodes)
                    .ifPresent(sentence -> findings.add(problem(
                            PlanCheck.POD_NETWORK_ROOM, network, "spec.clusterNetwork.pods.cidrBlocks", sentence)));
        }
        inUse("apiVIPs", config.apiVIPs(), controlPlane, hosts, findings);
        inUse("ingressVIPs", config.ingressVIPs(), controlPlane, hosts, findings);
        List<DnsName> names = names(identity, config);
        resolved(names, config, controlPlane, resolver, findings);
        return new NetworkPlan(names, findings);
    }

    private static PlanFinding problem(PlanCheck check, Subject object, String path, String sentence) {
        return PlanFinding.ofSentence(
                check, Severity.BLOCKING, object, path, sentence, "assisted-service or the installer refuses it");
    }

    private static void inUse(
            String field,
            @Nullable List<String> addresses,
            Subject controlPlane,
            List<InspectedHost> hosts,
            List<PlanFinding> findings) {
        for (String address : addresses == null ? List.<String>of() : addresses) {
            hosts.stream()
                    .filter(host -> host.addresses().contains(address))
                    .findFirst()
                    .ifPresent(host -> findings.add(PlanFinding.warning(
                            PlanCheck.VIRTUAL_IP_IN_USE,
                            controlPlane,
                            "spec.config." + field,
                            "%s was an address of %s when it was inspected".formatted(address, host.subject()),
                            "assisted-service wants an address that nothing uses",
                            "write a free address, and keep it out of the range of DHCP")));
        }
    }

    private static List<DnsName> names(ControlPlaneIdentity identity, ClusterConfig config) {
        String domain = identity.openshiftClusterName() + "." + config.baseDomain();
        List<String> api = addresses(config, config.apiVIPs());
        return List.of(
                new DnsName("api." + domain, api),
                new DnsName("api-int." + domain, api),
                new DnsName("*.apps." + domain, addresses(config, config.ingressVIPs())));
    }

    private static List<String> addresses(ClusterConfig config, @Nullable List<String> virtual) {
        return Platform.of(config).hasVirtualAddresses() ? Objects.requireNonNullElse(virtual, List.of()) : List.of();
    }

    /** A lookup here is not one in the hosts' network: it never blocks. */
    private static void resolved(
            List<DnsName> names,
            ClusterConfig config,
            Subject controlPlane,
            @Nullable Resolver resolver,
            List<PlanFinding> findings) {
        // Where the cluster has virtual addresses its nodes resolve api-int themselves.
        Stream<DnsName> needed = names.stream()
                .filter(name -> !Platform.of(config).hasVirtualAddresses()
                        || !name.name().startsWith("api-int."));
        if (resolver == null) {
            findings.add(PlanFinding.unknown(
                    PlanCheck.DNS_NAMES,
                    controlPlane,
                    "spec.config.baseDomain",
                    "%s have to exist".formatted(needed.map(DnsName::name).collect(Collectors.joining(", "))),
                    "they were not looked up",
                    "look them up in the hosts' network, or here with --resolve"));
            return;
        }
        needed.forEach(name -> {
            List<String> found = resolver.addresses(name.name().replace("*", "console-openshift-console"));
            if (found.isEmpty() || (!name.addresses().isEmpty() && !found.containsAll(name.addresses()))) {
                findings.add(PlanFinding.warning(
                        PlanCheck.DNS_NAMES,
                        controlPlane,
                        "spec.config.baseDomain",
                        found.isEmpty()
                                ? name.name() + " does not exist"
                                : "%s is %s".formatted(name.name(), String.join(", ", found)),
                        "hosts and clients reach the cluster by it, as far as this machine's DNS is theirs",
                        "create a record for "
                                + (name.addresses().isEmpty()
                                        ? "your load balancer"
                                        : String.join(", ", name.addresses()))));
            }
        });
    }
}
