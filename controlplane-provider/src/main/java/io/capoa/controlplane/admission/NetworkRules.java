package io.capoa.controlplane.admission;

import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.ClusterConfig.LoadBalancer;
import io.capoa.api.controlplane.v1beta1.Networking.MachineNetwork;
import io.capoa.api.rules.Section;
import io.capoa.controlplane.install.AddressBlock;
import io.capoa.controlplane.install.FirstFamily;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cross-field rules for virtual IPs and machine networks. */
final class NetworkRules {

    private NetworkRules() {}

    /** Checks {@code spec.config}. */
    static void check(Section section, ClusterConfig config) {
        List<AddressBlock> networks = networks(section.in("networking"), config);
        List<AddressBlock> api = addresses(config.apiVIPs());
        List<AddressBlock> ingress = addresses(config.ingressVIPs());
        families(section, api, ingress);
        FirstFamily.of("networking.machineNetwork", networks)
                .flatMap(machines -> FirstFamily.of("apiVIPs", api).flatMap(vips -> vips.problem(machines)))
                .ifPresent(section.in("apiVIPs")::refuseTogether);
        if (!isUserManaged(config)) {
            apart(section, api, ingress);
            within(section, "apiVIPs", config.apiVIPs(), networks);
            within(section, "ingressVIPs", config.ingressVIPs(), networks);
        }
    }

    private static List<AddressBlock> networks(Section section, ClusterConfig config) {
        List<MachineNetwork> given =
                config.networking() == null ? null : config.networking().machineNetwork();
        List<AddressBlock> networks = new ArrayList<>();
        for (int i = 0; given != null && i < given.size(); i++) {
            Section field = section.at("machineNetwork", i).in("cidr");
            AddressBlock network = AddressBlock.parse(given.get(i).cidr()).orElse(null);
            if (network == null) {
                continue;
            }
            if (network.hasHostBits()) {
                field.refuse(given.get(i).cidr() + " is an address in a network, not the network: write " + network);
            }
            AddressBlock other =
                    networks.stream().filter(network::overlaps).findFirst().orElse(null);
            if (other != null) {
                field.refuse(network + " overlaps with " + other + ": write networks that have no address in common");
            }
            networks.add(network);
        }
        return networks;
    }

    private static void families(Section section, List<AddressBlock> api, List<AddressBlock> ingress) {
        if (api.isEmpty() || ingress.isEmpty()) {
            return;
        }
        boolean same = api.size() == ingress.size();
        for (int i = 0; same && i < api.size(); i++) {
            same = api.get(i).sameFamily(ingress.get(i));
        }
        if (!same) {
            section.in("ingressVIPs")
                    .refuseTogether("has other IP families than apiVIPs, or another order: write as many addresses as"
                            + " apiVIPs has, " + String.join(", then ", families(api)));
        }
    }

    private static List<String> families(List<AddressBlock> addresses) {
        return addresses.stream().map(AddressBlock::family).toList();
    }

    /** A node with a virtual IP runs routers and API servers on the same ports. */
    private static void apart(Section section, List<AddressBlock> api, List<AddressBlock> ingress) {
        for (int i = 0; i < ingress.size(); i++) {
            if (api.contains(ingress.get(i))) {
                section.at("ingressVIPs", i)
                        .refuseTogether("is an address of apiVIPs as well: write another free address of the machine"
                                + " network, or set loadBalancer.type to UserManaged if your load balancer has it");
            }
        }
    }

    private static void within(
            Section section, String field, @Nullable List<String> addresses, List<AddressBlock> networks) {
        for (int i = 0; addresses != null && i < addresses.size(); i++) {
            AddressBlock address = AddressBlock.parse(addresses.get(i)).orElse(null);
            if (address == null || networks.isEmpty()) {
                continue;
            }
            AddressBlock network = networks.stream()
                    .filter(candidate -> candidate.contains(address))
                    .findFirst()
                    .orElse(null);
            if (network == null) {
                section.at(field, i)
                        .refuseTogether(addresses.get(i) + " lies in no network of networking.machineNetwork ("
                                + String.join(
                                        ", ",
                                        networks.stream()
                                                .map(AddressBlock::toString)
                                                .toList())
                                + "): write a free address of one of them, or correct the networks");
            } else if (address.isReservedIn(network)) {
                section.at(field, i)
                        .refuseTogether(addresses.get(i) + " stands for network " + network
                                + " itself or all of its hosts: write a free address between");
            }
        }
    }

    private static boolean isUserManaged(ClusterConfig config) {
        return config.loadBalancer() != null
                && LoadBalancer.USER_MANAGED.equals(config.loadBalancer().type());
    }

    private static List<AddressBlock> addresses(@Nullable List<String> texts) {
        return texts == null
                ? List.of()
                : texts.stream()
                        .flatMap(text -> AddressBlock.parse(text).stream())
                        .toList();
    }
}
