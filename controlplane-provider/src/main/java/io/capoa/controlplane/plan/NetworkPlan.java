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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cluster name, networks, virtual addresses and the DNS names that have to exist.
 *
 * @param names in the order api, api-int, apps
 */
record NetworkPlan(List<DnsName> names, List<PlanFinding> findings) {

    private static final String BASE_DOMAIN = "spec.config.baseDomain";
    private static final String OTHER_DNS = ", as far as this machine's DNS is theirs";

    /**
     * A name that has to resolve.
     *
     * @param name {@code *} stands for any label
     * @param addresses that it resolves to; empty if they are those of the user's load balancer
     */
    record DnsName(String name, List<String> addresses) {}

    /**
     * Judges a cluster's networks.
     *
     * @param nodes of the whole cluster
     * @param resolver the addresses of a name, empty if it has none; {@code null} if no name is looked up
     */
    static NetworkPlan of(
            ControlPlaneIdentity identity,
            ClusterConfig config,
            Cluster cluster,
            int nodes,
            List<InspectedHost> hosts,
            @Nullable Function<String, List<String>> resolver) {
        Subject controlPlane = Subject.of(identity.controlPlane());
        List<PlanFinding> findings = new ArrayList<>();
        ClusterInputs.nameProblem(identity, config, cluster, null)
                .ifPresent(sentence -> findings.add(
                        refused(PlanCheck.CLUSTER_NAME, controlPlane, "spec.config.clusterName", sentence)));
        Subject network = Subject.of(cluster);
        Optional<String> networks = ClusterInputs.networkProblem(identity, config, cluster);
        networks.ifPresent(
                sentence -> findings.add(refused(PlanCheck.NETWORKS, network, "spec.clusterNetwork", sentence)));
        if (networks.isEmpty()) {
            ClusterInputs.roomProblem(identity, config, cluster, nodes)
                    .ifPresent(sentence -> findings.add(refused(
                            PlanCheck.POD_NETWORK_ROOM, network, "spec.clusterNetwork.pods.cidrBlocks", sentence)));
        }
        inUse("apiVIPs", config.apiVIPs(), controlPlane, hosts, findings);
        inUse("ingressVIPs", config.ingressVIPs(), controlPlane, hosts, findings);
        List<DnsName> names = names(identity, config);
        // With virtual addresses nodes resolve api-int themselves, and so does the only node of a cluster.
        boolean balanced = !Platform.of(config).hasVirtualAddresses() && nodes > 1;
        List<DnsName> needed = names.stream()
                .filter(name -> balanced || !name.name().startsWith("api-int."))
                .toList();
        if (resolver == null) {
            findings.add(PlanFinding.unknown(
                    PlanCheck.DNS_NAMES,
                    controlPlane,
                    BASE_DOMAIN,
                    "%s have to exist"
                            .formatted(needed.stream().map(DnsName::name).collect(Collectors.joining(", "))),
                    "they were not looked up",
                    "look them up in the hosts' network, or here with --resolve"));
        } else {
            needed.forEach(name -> resolved(name, balanced, controlPlane, resolver, findings));
            wildcard(domain(identity, config), controlPlane, resolver, findings);
        }
        return new NetworkPlan(names, findings);
    }

    private static PlanFinding refused(PlanCheck check, Subject object, String path, String sentence) {
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
        String domain = domain(identity, config);
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
            DnsName name,
            boolean balanced,
            Subject controlPlane,
            Function<String, List<String>> resolver,
            List<PlanFinding> findings) {
        List<String> found = resolver.apply(name.name().replace("*", "console-openshift-console"));
        if (!found.isEmpty() && found.containsAll(name.addresses())) {
            return;
        }
        findings.add(PlanFinding.warning(
                PlanCheck.DNS_NAMES,
                controlPlane,
                BASE_DOMAIN,
                found.isEmpty()
                        ? name.name() + " does not exist"
                        : "%s is %s".formatted(name.name(), String.join(", ", found)),
                (balanced
                                ? "assisted-service installs no cluster whose hosts do not resolve it"
                                : "hosts and clients reach the cluster by it")
                        + OTHER_DNS,
                "create a record for "
                        + (name.addresses().isEmpty() ? "your load balancer" : String.join(", ", name.addresses()))));
    }

    private static void wildcard(
            String domain, Subject controlPlane, Function<String, List<String>> resolver, List<PlanFinding> findings) {
        List<String> found = resolver.apply("validateNoWildcardDNS." + domain + ".");
        if (!found.isEmpty()) {
            findings.add(PlanFinding.warning(
                    PlanCheck.DNS_NAMES,
                    controlPlane,
                    BASE_DOMAIN,
                    "any name below %s is %s".formatted(domain, String.join(", ", found)),
                    "assisted-service installs no cluster whose hosts see a wildcard record of its domain" + OTHER_DNS,
                    "remove the record *.%s; only *.apps.%s may be one".formatted(domain, domain)));
        }
    }

    private static String domain(ControlPlaneIdentity identity, ClusterConfig config) {
        return identity.openshiftClusterName() + "." + config.baseDomain();
    }
}
