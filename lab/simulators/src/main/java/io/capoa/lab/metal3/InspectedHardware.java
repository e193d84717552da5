package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an inspection finds in a server of the lab: one interface, one disk, enough of everything. */
public final class InspectedHardware {

    private static final int CPUS = 16;
    private static final int MEBIBYTES = 65_536;
    private static final long DISK_BYTES = 512L << 30;

    private InspectedHardware() {}

    /** {@code status.hardware} of the host. */
    public static Map<String, Object> of(BareMetalHost host) {
        String mac = mac(host);
        return Map.of(
                "hostname", host.getMetadata().getName(),
                "cpu", Map.of("arch", "x86_64", "count", CPUS, "model", "Lab CPU"),
                "ramMebibytes", MEBIBYTES,
                "nics", List.of(Map.of("name", "eno1", "mac", mac, "ip", address(mac), "pxe", true)),
                "storage",
                        List.of(Map.of(
                                "name", "/dev/sda", "sizeBytes", DISK_BYTES, "rotational", false, "type", "SSD")),
                "systemVendor", Map.of("manufacturer", "Lab", "productName", "Server", "serialNumber", mac));
    }

    /** The address that DHCP gives to the boot interface: from the last two bytes of its MAC. */
    public static String address(String mac) {
        String[] bytes = mac.split(":", -1);
        int low = bytes.length == 6 ? Integer.parseInt(bytes[5], 16) : 1;
        int high = bytes.length == 6 ? Integer.parseInt(bytes[4], 16) : 0;
        return "192.168." + high + "." + low;
    }

    private static String mac(BareMetalHost host) {
        String mac = Fields.string(host, "spec", "bootMACAddress");
        return mac == null ? "00:00:00:00:00:01" : mac.toLowerCase(Locale.ROOT);
    }
}
