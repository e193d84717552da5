package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.metal3.HostHardware;
import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a simulated host says of itself. */
public final class ReportedHardware {

    private static final long FIRMWARE_BYTES = 1_700_000_000L;

    /** Address of all load balancers. */
    private static final String BALANCER = "192.0.2.10";

    private ReportedHardware() {}

    static HostHardware of(BareMetalHost host) throws Refused {
        try {
            return HostHardware.of(host);
        } catch (IllegalArgumentException e) {
            throw new Refused(String.valueOf(e.getMessage()));
        }
    }

    /** The reply of the host's DNS to these names: a load balancer's address, or none. */
    static Map<String, Object> resolutions(BareMetalHost host, List<String> names) throws Refused {
        HostHardware.Dns dns = of(host).dns();
        return Map.of(
                "resolutions",
                names.stream()
                        .map(name -> Map.of(
                                "domain_name",
                                name,
                                "ipv4_addresses",
                                isKnown(dns, name) ? List.of(BALANCER) : List.of()))
                        .toList());
    }

    private static boolean isKnown(HostHardware.Dns dns, String name) {
        return switch (dns) {
            case RECORDS -> !name.startsWith("validateNoWildcardDNS.");
            case NONE -> false;
            case WILDCARD -> true;
        };
    }

    /** The inventory of the agent. */
    static Map<String, Object> inventory(BareMetalHost host) throws Refused {
        return inventory(host, of(host));
    }

    /** The inventory of the agent of a host that is made of that. */
    public static Map<String, Object> inventory(BareMetalHost host, HostHardware hardware) {
        long memory = hardware.gibibytes() << 30;
        Map<String, Object> inventory = new LinkedHashMap<>();
        inventory.put("hostname", hardware.hostname());
        inventory.put("bmc_address", "0.0.0.0");
        inventory.put(
                "cpu", Map.of("architecture", hardware.architecture(), "count", hardware.cpus(), "model_name", "lab"));
        inventory.put("memory", Map.of("physical_bytes", memory, "usable_bytes", memory - FIRMWARE_BYTES));
        inventory.put(
                "disks",
                List.of(Map.of(
                        "id", "/dev/disk/by-id/wwn-0x01",
                        "name", "sda",
                        "path", "/dev/sda",
                        "drive_type", "SSD",
                        "size_bytes", hardware.diskBytes(),
                        "installation_eligibility", Map.of("eligible", true, "not_eligible_reasons", List.of()))));
        inventory.put(
                "interfaces",
                List.of(Map.of(
                        "name",
                        "eno1",
                        "mac_address",
                        hardware.mac(),
                        "has_carrier",
                        true,
                        "flags",
                        List.of("up", "broadcast", "multicast"),
                        "ipv4_addresses",
                        List.of(hardware.address() + "/16"),
                        "ipv6_addresses",
                        List.of())));
        inventory.put(
                "system_vendor",
                Map.of(
                        "manufacturer",
                        "lab",
                        "product_name",
                        "simulated host",
                        "serial_number",
                        HostHardware.id(host),
                        "virtual",
                        false));
        return inventory;
    }

    /**
     * The config drive's meta_data.json: baremetal-operator's defaults, overridden by the metadata that Metal3
     * rendered.
     */
    @SuppressWarnings("unchecked")
    static byte[] metaData(BareMetalHost host, String rendered) throws Refused {
        Map<String, Object> data = new LinkedHashMap<>();
        String name = host.getMetadata().getName();
        data.put("uuid", host.getMetadata().getUid());
        data.put("metal3-namespace", host.getMetadata().getNamespace());
        data.put("metal3-name", name);
        data.put("local-hostname", name);
        data.put("local_hostname", name);
        data.put("name", name);
        if (!rendered.isBlank()) {
            try {
                data.putAll(Serialization.unmarshal(rendered, Map.class));
            } catch (RuntimeException e) {
                throw new Refused("its metaData secret is not a YAML mapping");
            }
        }
        return Json.bytes(data);
    }
}
