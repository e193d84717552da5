package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated server is made of. baremetal-operator finds it when it inspects the host, and the agent when it runs
 * there; annotation {@value #ANNOTATION} may have changed in between.
 *
 * @param architecture of its CPU, such as {@code x86_64}
 * @param gigabytes size of its only disk, in 10⁹ bytes
 * @param hostname that DHCP gives it
 * @param mac address of its only NIC, in lower case
 * @param dns what its DNS has
 */
public record HostHardware(
        String architecture,
        long cpus,
        long gibibytes,
        long gigabytes,
        String hostname,
        String mac,
        String address,
        Dns dns) {

    /** What the DNS of a host's network has. */
    public enum Dns {
        /** A record for every name of every cluster. */
        RECORDS,
        /** Nothing. */
        NONE,
        /** Records, and one for any other name. */
        WILDCARD
    }

    /** Annotation of a BareMetalHost with what differs, such as {@code memory=8 hostname=twin}. */
    public static final String ANNOTATION = "lab.capoa.io/hardware";

    private static final Set<String> KEYS = Set.of("memory", "cpus", "disk", "hostname", "architecture", "mac", "dns");

    /** Throws {@link IllegalArgumentException} if the annotation cannot be read. */
    public static HostHardware of(BareMetalHost host) {
        Map<String, String> own = own(host);
        String mac = Fields.string(host, "spec", "bootMACAddress");
        return new HostHardware(
                own.getOrDefault("architecture", "x86_64"),
                number(own.get("cpus"), 16),
                number(own.get("memory"), 64),
                number(own.get("disk"), 480),
                own.getOrDefault("hostname", host.getMetadata().getName()),
                own.getOrDefault("mac", mac == null ? "" : mac).toLowerCase(Locale.ROOT),
                address(host),
                dns(own.get("dns")));
    }

    /** Size of its disk, in bytes. */
    public long diskBytes() {
        return gigabytes * 1_000_000_000L;
    }

    private static Map<String, String> own(BareMetalHost host) {
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        String text = annotations == null ? "" : annotations.getOrDefault(ANNOTATION, "");
        Map<String, String> own = new HashMap<>();
        for (String entry : text.isBlank() ? new String[0] : text.strip().split("[ ,]+")) {
            int split = entry.indexOf('=');
            if (split < 1 || !KEYS.contains(entry.substring(0, split))) {
                throw new IllegalArgumentException("annotation " + ANNOTATION + " has " + entry
                        + ": write memory=<GiB>, cpus=<number>, disk=<GB>, hostname=<name>, architecture=<name>,"
                        + " mac=<address> or dns=<none|wildcard|records>, separated by spaces");
            }
            own.put(entry.substring(0, split), entry.substring(split + 1));
        }
        return own;
    }

    private static Dns dns(@Nullable String value) {
        try {
            return value == null ? Dns.RECORDS : Dns.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "annotation " + ANNOTATION + " has dns=" + value + " instead of none, wildcard or records", e);
        }
    }

    private static long number(@Nullable String value, long otherwise) {
        try {
            return value == null ? otherwise : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "annotation " + ANNOTATION + " has " + value + " instead of a number", e);
        }
    }

    /** The host's id in its firmware, which never changes. */
    public static String id(BareMetalHost host) {
        String uid = host.getMetadata().getUid();
        return UUID.nameUUIDFromBytes(("smbios-" + uid).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    public static String address(BareMetalHost host) {
        int number = Math.floorMod(id(host).hashCode(), 250 * 250);
        return "192." + (168 + number / 62500) + "." + number / 250 + "." + (2 + number % 250);
    }
}
