package io.capoa.lab.assisted;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validations of a cluster before its installation.
 *
 * @param computed whether they have run since the cluster was registered
 * @param vips what is wrong with the virtual IPs, or an empty string
 * @param network how far the machine network is known
 */
record ClusterChecks(boolean computed, String vips, MachineNetwork network) {

    /** All validations have passed. */
    static final ClusterChecks MET = new ClusterChecks(true, "", MachineNetwork.KNOWN);

    private static final Set<HostState> NOT_READY =
            Set.of(HostState.DISCOVERING, HostState.INSUFFICIENT, HostState.DISCONNECTED);

    static final String HOSTS = "The cluster has hosts that are not ready to install.";
    private static final String UNDISCOVERED = "Hosts have not been discovered yet";
    private static final String UNDEFINED =
            "The Machine Network CIDR is undefined; the Machine Network CIDR can be defined"
                    + " by setting either the API or Ingress virtual IPs.";
    private static final String SUCCESS = "success";
    private static final String FAILURE = "failure";
    private static final String PENDING = "pending";

    /** State of the machine network, which the service derives from the interfaces of the first hosts. */
    enum MachineNetwork {
        UNDISCOVERED,
        UNDEFINED,
        KNOWN
    }

    /** Messages about missing user input, in the order of the service; empty if complete. */
    List<String> pending(InstallInputs inputs) {
        List<String> pending = new ArrayList<>();
        if (network == MachineNetwork.UNDISCOVERED) {
            if (!hasMasters(inputs)) {
                pending.add(masters(inputs));
            }
            pending.add(UNDISCOVERED);
        } else if (network == MachineNetwork.UNDEFINED) {
            pending.add(UNDEFINED);
        }
        if (!vips.isEmpty()) {
            pending.add(vips);
        }
        return pending;
    }

    /** Messages of all other failing validations. */
    List<String> failing(InstallInputs inputs) {
        List<String> failing = new ArrayList<>();
        if (!inputs.hosts().isEmpty() && !areReady(inputs)) {
            failing.add(HOSTS);
        }
        if (!inputs.hosts().isEmpty() && !hasMasters(inputs)) {
            failing.add(masters(inputs));
        }
        return failing;
    }

    /** {@code status.validationsInfo} of an AgentClusterInstall. */
    Map<String, Object> toStatus(InstallInputs inputs) {
        if (!computed) {
            return Map.of();
        }
        boolean ready = areReady(inputs);
        boolean enough = hasMasters(inputs);
        Map<String, Object> groups = new LinkedHashMap<>();
        groups.put(
                "hosts-data",
                List.of(
                        check(
                                "all-hosts-are-ready-to-install",
                                ready ? SUCCESS : FAILURE,
                                ready ? "All hosts in the cluster are ready to install." : HOSTS),
                        check(
                                "sufficient-masters-count",
                                enough ? SUCCESS : FAILURE,
                                enough
                                        ? "The cluster has the exact amount of dedicated control plane nodes."
                                        : masters(inputs))));
        groups.put("network", List.of(machineCidr(), apiVips()));
        return groups;
    }

    private Map<String, Object> machineCidr() {
        String id = "machine-cidr-defined";
        return switch (network) {
            case UNDISCOVERED -> check(id, PENDING, UNDISCOVERED);
            case UNDEFINED -> check(id, FAILURE, UNDEFINED);
            case KNOWN -> check(id, SUCCESS, "The Machine Network CIDR is defined.");
        };
    }

    private Map<String, Object> apiVips() {
        return vips.isEmpty()
                ? check("api-vips-defined", SUCCESS, "API virtual IPs are defined.")
                : check("api-vips-defined", FAILURE, vips);
    }

    private static boolean areReady(InstallInputs inputs) {
        return inputs.hosts().stream().noneMatch(host -> NOT_READY.contains(host.state()));
    }

    private static boolean hasMasters(InstallInputs inputs) {
        return inputs.masters() == inputs.requirements().controlPlanes();
    }

    private static String masters(InstallInputs inputs) {
        return inputs.requirements().isSingleNode()
                ? "Single-node clusters must have a single control plane node and no workers."
                : "The cluster must have exactly %d dedicated control plane nodes. Add or remove hosts, or change their roles configurations to meet the requirement."
                        .formatted(inputs.requirements().controlPlanes());
    }

    private static Map<String, Object> check(String id, String status, String message) {
        return Map.of("id", id, "status", status, "message", message);
    }
}
