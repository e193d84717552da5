package io.capoa.api.rules.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A BareMetalHost's {@code spec.rootDeviceHints} by Metal3's rules: baremetal-operator makes an expression for Ironic of
 * each ({@code pkg/provisioner/ironic/devicehints/devicehints.go}), Ironic compares the disks with them one after another
 * ({@code find_devices_by_hints} of ironic-lib, later of ironic-python-agent), without regard to case or to blanks around
 * a value. assisted-service does the same with an Agent's inventory ({@code GetAcceptableDisksWithHints} of
 * {@code internal/host/hostutil/host_utils.go}), where the two differ the stricter rule counts:
 *
 * <ul>
 *   <li>{@code deviceName}: equal to the by-path link when it begins like one, else to the device's path; other links
 *       match nothing in Metal3;
 *   <li>{@code hctl}, {@code serialNumber}: equal;
 *   <li>{@code model}, {@code vendor}: contained;
 *   <li>{@code minSizeGigabytes}: Ironic counts gibibytes, assisted-service gigabytes;
 *   <li>{@code wwn}, {@code wwnWithExtension}, {@code wwnVendorExtension}: equal. The inventory has one name only, which
 *       holds all three for disks that udev names like SCSI disks (see {@link InventoryDisk}); for others the two with
 *       an extension match nothing;
 *   <li>{@code rotational}: of HDD and SSD; the inventory does not say it of other drive types, which match neither;
 *   <li>what is empty does not count; hints that are all empty, unknown or of the wrong type choose nothing.
 * </ul>
 */
public final class RootDeviceHints {

    private static final double GIBIBYTE = 1L << 30;

    private final List<DiskRule> rules = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private RootDeviceHints() {}

    /**
     * The rules of a host's hints.
     *
     * @param hints of whatever form; {@code null} if the host has none
     * @param source the field and its object, for messages
     * @return {@code null} if the host has no hints
     */
    public static @Nullable DiskRules of(@Nullable Object hints, String source) {
        if (hints == null) {
            return null;
        }
        RootDeviceHints read = new RootDeviceHints();
        if (hints instanceof Map<?, ?> map) {
            new TreeMap<Object, @Nullable Object>(map).forEach((name, value) -> read.hint(name.toString(), value));
        } else {
            read.faults.add("it is no object");
        }
        return new DiskRules(source, read.rules, read.faults);
    }

    private void hint(String name, @Nullable Object value) {
        if (value == null || value.equals("")) {
            return;
        }
        switch (name) {
            case "minSizeGigabytes" -> size(name, value);
            case "rotational" -> rotational(name, value);
            default -> text(name, value);
        }
    }

    private void size(String name, Object value) {
        if (!(value instanceof Number number) || number.longValue() < 0) {
            faults.add(name + " is no size");
        } else if (number.longValue() > 0) {
            rules.add(DiskRule.shownAnyway(
                    name, value + " (of 2^30 bytes each)", disk -> disk.bytes() / GIBIBYTE >= number.doubleValue()));
        }
    }

    private void rotational(String name, Object value) {
        if (value instanceof Boolean wanted) {
            rules.add(DiskRule.rotational(wanted));
        } else {
            faults.add(name + " is neither true nor false");
        }
    }

    private void text(String name, Object value) {
        if (!(value instanceof String text) || text.isBlank()) {
            faults.add(name + " is no text");
            return;
        }
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        switch (name) {
            case "deviceName" -> {
                String field = wanted.startsWith(DiskRules.BY_PATH) ? "byPath" : "path";
                rules.add(DiskRule.device(text, field, disk -> wanted.equals(disk.lower(field))));
            }
            case "hctl" -> equal(name, text, "hctl");
            case "serialNumber" -> equal(name, text, "serial");
            case "model", "vendor" ->
                rules.add(
                        DiskRule.text(name, text, name, disk -> disk.lower(name).contains(wanted)));
            case "wwn" -> rules.add(DiskRule.text(name, text, "wwn", disk -> disk.hasWwn(wanted)));
            case "wwnWithExtension" ->
                rules.add(DiskRule.text(name, text, "wwn", disk -> disk.hasWwnWithExtension(wanted)));
            case "wwnVendorExtension" ->
                rules.add(DiskRule.text(name, text, "wwn", disk -> disk.hasWwnVendorExtension(wanted)));
            default -> faults.add(name + " is not known to this provider");
        }
    }

    private void equal(String name, String text, String field) {
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        rules.add(DiskRule.text(name, text, field, disk -> wanted.equals(disk.lower(field))));
    }
}
