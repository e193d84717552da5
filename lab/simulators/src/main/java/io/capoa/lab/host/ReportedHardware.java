package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Simulated hardware of a BareMetalHost. */
final class ReportedHardware {

    /** Annotation of a BareMetalHost that overrides its hardware, such as {@code memory=8 hostname=twin}. */
    static final String ANNOTATION = "lab.capoa.io/hardware";

    private static final Set<String> KEYS = Set.of("memory", "cpus", "disk", "hostname");
    private static final long GIGABYTE = 1_000_000_000L;
    private static final long FIRMWARE_BYTES = 1_700_000_000L;

    private ReportedHardware() {}

    private static Map<String, String> own(BareMetalHost host) throws Refused {
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        String text = annotations == null ? "" : annotations.getOrDefault(ANNOTATION, "");
        Map<String, String> own = new LinkedHashMap<>();
        for (String entry : text.isBlank() ? new String[0] : text.strip().split("[ ,]+")) {
            int split = entry.indexOf('=');
            if (split < 1 || !KEYS.contains(entry.substring(0, split))) {
                throw new Refused("annotation " + ANNOTATION + " has " + entry
                        + ": write memory=<GiB>, cpus=<number>, disk=<GB>, hostname=<name>, separated by spaces");
            }
            own.put(entry.substring(0, split), entry.substring(split + 1));
        }
        return own;
    }

    private static long gibibytes(String value) throws Refused {
        return number(value) << 30;
    }

    private static long number(String value) throws Refused {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new Refused("annotation " + ANNOTATION + " has " + value + " instead of a number");
        }
    }

    /** The host's id in its firmware, which never changes. */
    static String id(BareMetalHost host) {
        String uid = host.getMetadata().getUid();
        return UUID.nameUUIDFromBytes(("smbios-" + uid).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    static String address(BareMetalHost host) {
        int number = Math.floorMod(id(host).hashCode(), 250 * 250);
        return "192." + (168 + number / 62500) + "." + number / 250 + "." + (2 + number % 250);
    }

    /** The inventory of the agent, with the overrides in annotation {@value #ANNOTATION}. */
    static Map<String, Object> inventory(BareMetalHost host) throws Refused {
        Map<String, String> own = own(host);
        long memory = gibibytes(own.getOrDefault("memory", "64"));
        String mac = Fields.string(host, "spec", "bootMACAddress");
        Map<String, Object> inventory = new LinkedHashMap<>();
        inventory.put(
                "hostname", own.getOrDefault("hostname", host.getMetadata().getName()));
        inventory.put("bmc_address", "0.0.0.0");
        inventory.put(
                "cpu",
                Map.of("architecture", "x86_64", "count", number(own.getOrDefault("cpus", "16")), "model_name", "lab"));
        inventory.put("memory", Map.of("physical_bytes", memory, "usable_bytes", memory - FIRMWARE_BYTES));
        inventory.put(
                "disks",
                List.of(Map.of(
                        "id", "/dev/disk/by-id/wwn-0x01",
                        "name", "sda",
                        "path", "/dev/sda",
                        "drive_type", "SSD",
                        "size_bytes", number(own.getOrDefault("disk", "480")) * GIGABYTE,
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
