package io.capoa.bootstrap.agent;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.DiskHints;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds, in the inventory that a host reported, the disk that hints describe (Metal3 root device hints). */
public final class InstallationDisk {

    private static final double GIGABYTE = 1e9;

    private InstallationDisk() {}

    /** The hints of a BareMetalHost's {@code spec.rootDeviceHints}, {@code null} when it has none. */
    public static @Nullable DiskHints hints(BareMetalHost host) {
        Map<String, Object> hints = Fields.map(host, "spec", "rootDeviceHints");
        return hints.isEmpty()
                ? null
                : new DiskHints(
                        text(hints, "deviceName"),
                        text(hints, "hctl"),
                        text(hints, "model"),
                        text(hints, "vendor"),
                        text(hints, "serialNumber"),
                        text(hints, "wwn"),
                        hints.get("minSizeGigabytes") instanceof Number n ? n.intValue() : null,
                        hints.get("rotational") instanceof Boolean b ? b : null);
    }

    /** {@code id} of the first disk that can be installed to and that all hints match; empty when there is none. */
    public static Optional<String> matching(Agent agent, DiskHints hints) {
        return disks(agent).stream()
                .filter(disk -> !Boolean.FALSE.equals(Fields.any(disk, "installationEligibility", "eligible")))
                .filter(disk -> matches(disk, hints))
                .map(disk -> Fields.any(disk, "id"))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst();
    }

    /** Whether the host has said what disks it has. */
    public static boolean isReported(Agent agent) {
        return !disks(agent).isEmpty();
    }

    /** The disks by path and size, for people. */
    public static String listed(Agent agent) {
        return disks(agent).stream()
                .map(disk -> Fields.any(disk, "path") + " ("
                        + Math.round(
                                (Fields.any(disk, "sizeBytes") instanceof Number n ? n.doubleValue() : 0) / GIGABYTE)
                        + " GB)")
                .collect(Collectors.joining(", "));
    }

    /** The hints as {@code name=value}, for people. */
    public static String described(DiskHints hints) {
        List<String> words = new ArrayList<>();
        add(words, "deviceName", hints.deviceName());
        add(words, "hctl", hints.hctl());
        add(words, "model", hints.model());
        add(words, "vendor", hints.vendor());
        add(words, "serialNumber", hints.serialNumber());
        add(words, "wwn", hints.wwn());
        add(words, "minSizeGigabytes", hints.minSizeGigabytes());
        add(words, "rotational", hints.rotational());
        return String.join(", ", words);
    }

    private static void add(List<String> words, String name, @Nullable Object value) {
        if (value != null) {
            words.add(name + "=" + value);
        }
    }

    private static List<?> disks(Agent agent) {
        return Fields.list(agent, "status", "inventory", "disks");
    }

    private static boolean matches(Object disk, DiskHints hints) {
        String device = hints.deviceName();
        boolean named = device == null
                || List.of("path", "byPath", "byID", "id").stream()
                        .anyMatch(field -> device.equals(Fields.any(disk, field)));
        return named
                && (hints.hctl() == null || hints.hctl().equals(Fields.any(disk, "hctl")))
                && contains(disk, "model", hints.model())
                && contains(disk, "vendor", hints.vendor())
                && (hints.serialNumber() == null || hints.serialNumber().equals(Fields.any(disk, "serial")))
                && (hints.wwn() == null || wwn(hints.wwn()).equals(wwn(Fields.any(disk, "wwn"))))
                && (hints.minSizeGigabytes() == null
                        || (Fields.any(disk, "sizeBytes") instanceof Number size
                                && size.doubleValue() >= hints.minSizeGigabytes() * GIGABYTE))
                && (hints.rotational() == null
                        || hints.rotational().equals("HDD".equals(Fields.any(disk, "driveType"))));
    }

    private static boolean contains(Object disk, String field, @Nullable String part) {
        return part == null
                || (Fields.any(disk, field) instanceof String text
                        && text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)));
    }

    private static String wwn(@Nullable Object wwn) {
        return Objects.toString(wwn, "").toLowerCase(Locale.ROOT).replaceFirst("^0x", "");
    }

    private static @Nullable String text(Map<String, Object> hints, String field) {
        return hints.get(field) instanceof String s && !s.isEmpty() ? s : null;
    }
}
