package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.WorkingCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Addresses of a Metal3Machine, from the inspection of its host. */
final class Addresses {

    private Addresses() {}

    static void write(WorkingCopy<Metal3Machine> working, BareMetalHost host) {
        List<Map<String, String>> addresses = new ArrayList<>();
        for (Object nic : Fields.list(host, "status", "hardware", "nics")) {
            if (nic instanceof Map<?, ?> map && map.get("ip") instanceof String ip && !ip.isEmpty()) {
                addresses.add(Map.of("address", ip, "type", "InternalIP"));
            }
        }
        String hostname = Fields.string(host, "status", "hardware", "hostname");
        if (hostname != null) {
            addresses.add(Map.of("address", hostname, "type", "Hostname"));
            addresses.add(Map.of("address", hostname, "type", "InternalDNS"));
        }
        working.set(addresses.isEmpty() ? null : addresses, "status", "addresses");
    }
}
