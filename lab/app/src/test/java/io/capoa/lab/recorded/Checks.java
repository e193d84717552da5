package io.capoa.lab.recorded;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Derives validations from a recorded message of assisted-service, in which each sentence is one validation. All are
 * reported as failures, although some may have been pending.
 */
final class Checks {

    private static final Map<String, String> IDS = new LinkedHashMap<>();

    static {
        IDS.put("No connectivity to the majority of hosts", "belongs-to-majority-group");
        IDS.put("Missing MTU", "mtu-valid");
        IDS.put("synchronize with any NTP server", "ntp-synced");
        IDS.put("Missing network latency", "sufficient-network-latency-requirement-for-role");
        IDS.put("Missing packet", "sufficient-packet-loss-requirement-for-role");
        IDS.put("Ignition is not yet available", "ignition-downloadable");
        IDS.put("DNS wildcard check", "dns-wildcard-not-configured");
        IDS.put("Not enough hosts in cluster", "belongs-to-majority-group");
        IDS.put("pending API connectivity", "ignition-downloadable");
        IDS.put("hosts that are not ready to install", "all-hosts-are-ready-to-install");
        IDS.put("dedicated control plane nodes", "sufficient-masters-count");
        IDS.put("single control plane node", "sufficient-masters-count");
    }

    private Checks() {}

    /** {@code status.validationsInfo} of a host or a cluster with that condition Validated. */
    static Map<String, Object> of(RecordedLine validated) {
        if (!validated.reason().equals("ValidationsFailing")) {
            return Map.of("group", List.of());
        }
        List<Map<String, String>> failing = new ArrayList<>();
        IDS.forEach((text, id) -> {
            if (validated.message().contains(text)) {
                String status = text.startsWith("DNS") ? "pending" : "failure";
                failing.add(Map.of("id", id, "status", status, "message", text));
            }
        });
        if (validated.kind().equals("ACI")) {
            // From the control plane's conditions, because the recorded message of the AgentClusterInstall is
            // truncated.
            failing.add(Map.of("id", "machine-cidr-defined", "status", "failure", "message", "CIDR is undefined"));
        }
        return Map.of("group", failing);
    }
}
