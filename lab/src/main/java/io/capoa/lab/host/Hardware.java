package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What the machine behind a BareMetalHost would say of itself. */
final class Hardware {

    private Hardware() {}

    /** The host's id as its firmware tells it: the same for as long as the machine is the same. */
    static String id(BareMetalHost host) {
        String uid = host.getMetadata().getUid();
        return UUID.nameUUIDFromBytes(("smbios-" + uid).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    static String address(BareMetalHost host) {
        int number = Math.floorMod(id(host).hashCode(), 250 * 250);
        return "192." + (168 + number / 62500) + "." + number / 250 + "." + (2 + number % 250);
    }

    /** The inventory as an agent sends it. */
    static Map<String, Object> inventory(BareMetalHost host) {
        String mac = Fields.string(host, "spec", "bootMACAddress");
        Map<String, Object> inventory = new LinkedHashMap<>();
        inventory.put("hostname", host.getMetadata().getName());
        inventory.put("bmc_address", "0.0.0.0");
        inventory.put("cpu", Map.of("architecture", "x86_64", "count", 16, "model_name", "lab"));
        inventory.put("memory", Map.of("physical_bytes", 68719476736L, "usable_bytes", 67000000000L));
        inventory.put(
                "disks",
                List.of(Map.of(
                        "id", "/dev/disk/by-id/wwn-0x01",
                        "name", "sda",
                        "path", "/dev/sda",
                        "drive_type", "SSD",
                        "size_bytes", 480000000000L,
                        "installation_eligibility", Map.of("eligible", true, "not_eligible_reasons", List.of()))));
        inventory.put(
                "interfaces",
                List.of(Map.of(
                        "name",
                        "eno1",
                        "mac_address",
                        mac == null ? "" : mac,
                        "has_carrier",
                        true,
                        "flags",
                        List.of("up", "broadcast", "multicast"),
                        "ipv4_addresses",
                        List.of(address(host) + "/16"),
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
                        id(host),
                        "virtual",
                        false));
        return inventory;
    }

    /** The config drive's meta_data.json: the bare-metal operator's defaults, and over them what Metal3 rendered. */
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
                throw new Refused("its metaData secret is no YAML mapping");
            }
        }
        return Json.bytes(data);
    }
}
