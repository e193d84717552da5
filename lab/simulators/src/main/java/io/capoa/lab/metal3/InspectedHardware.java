package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import java.util.List;
import java.util.Map;

/** What an inspection finds in a server of the lab. */
public final class InspectedHardware {

    private InspectedHardware() {}

    /** {@code status.hardware} of the host; throws {@link IllegalArgumentException} if its own cannot be read. */
    public static Map<String, Object> of(BareMetalHost host) {
        HostHardware hardware = HostHardware.of(host);
        return Map.of(
                "hostname", hardware.hostname(),
                "cpu", Map.of("arch", hardware.architecture(), "count", hardware.cpus(), "model", "Lab CPU"),
                "ramMebibytes", hardware.gibibytes() << 10,
                "nics", List.of(Map.of("name", "eno1", "mac", hardware.mac(), "ip", hardware.address(), "pxe", true)),
                "storage",
                        List.of(Map.of(
                                "name",
                                "/dev/sda",
                                "sizeBytes",
                                hardware.diskBytes(),
                                "rotational",
                                false,
                                "type",
                                "SSD")),
                "systemVendor", Map.of("manufacturer", "Lab", "productName", "Server", "serialNumber", hardware.mac()));
    }
}
