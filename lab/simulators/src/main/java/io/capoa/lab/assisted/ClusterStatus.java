package io.capoa.lab.assisted;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Computes the status of an AgentClusterInstall from its cluster and hosts. */
final class ClusterStatus {

    private ClusterStatus() {}

    static Map<String, Object> withoutCluster(SpecSync sync, Published published) {
        return Map.of("conditions", published.conditions(InstallConditionsReport.withoutCluster(sync)));
    }

    static Map<String, Object> of(
            AgentClusterInstall install,
            ClusterRecord cluster,
            List<HostRecord> hosts,
            InstallInputs inputs,
            SpecSync sync) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("conditions", cluster.published.conditions(InstallConditionsReport.of(sync, cluster.state, inputs)));
        status.put(
                "debugInfo",
                Map.of(
                        "state", cluster.state.word(),
                        "stateInfo", cluster.state.info(),
                        "eventsURL", cluster.eventsUrl));
        status.put("progress", Map.of("totalPercentage", InstallFlow.percent(cluster.state, inputs)));
        status.put("validationsInfo", inputs.checks().toStatus(inputs));
        status.put("platformType", InstallSpecRules.platform(install));
        status.put("userManagedNetworking", InstallSpecRules.isUserManaged(install));
        boolean single = Requirements.of(install).isSingleNode() && !hosts.isEmpty();
        status.put("apiVIPs", single ? addresses(hosts.getFirst()) : Fields.list(install, "spec", "apiVIPs"));
        status.put("ingressVIPs", single ? addresses(hosts.getFirst()) : Fields.list(install, "spec", "ingressVIPs"));
        return status;
    }

    private static List<String> addresses(HostRecord host) {
        if (host.inventory.get("interfaces") instanceof List<?> interfaces
                && !interfaces.isEmpty()
                && Fields.any(interfaces.getFirst(), "ipV4Addresses") instanceof List<?> addresses
                && !addresses.isEmpty()) {
            return List.of(String.valueOf(addresses.getFirst()).replaceFirst("/.*", ""));
        }
        return List.of();
    }
}
