package io.capoa.api.rules.disk;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.DiskHints;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules that choose the installation disk: it must meet all of them.
 *
 * @param source the field and its object, for messages
 * @param rules all of which have to be met; never empty where there is no fault
 * @param faults why the field chooses nothing
 */
public record DiskRules(String source, List<DiskRule> rules, List<String> faults) {

    /** Begins the links to disks by their place in the machine. */
    static final String BY_PATH = "/dev/disk/by-path/";

    private static final double GIGABYTE = 1e9;

    public DiskRules {
        if (rules.isEmpty() && faults.isEmpty()) {
            faults = List.of("it names no property of a disk");
        }
    }

    /** Those of a config's {@code spec.installationDisk}, by the rules that its description gives. */
    public static DiskRules of(DiskHints hints) {
        List<DiskRule> rules = new ArrayList<>();
        String device = text(hints.deviceName());
        if (device != null) {
            rules.add(DiskRule.device(
                    device,
                    linkField(device),
                    disk -> Stream.of("path", "byPath", "byID", "id")
                            .anyMatch(field -> device.equals(disk.text(field)))));
        }
        equal(rules, "hctl", hints.hctl(), "hctl");
        part(rules, "model", hints.model());
        part(rules, "vendor", hints.vendor());
        equal(rules, "serialNumber", hints.serialNumber(), "serial");
        String wwn = text(hints.wwn());
        if (wwn != null) {
            rules.add(DiskRule.text(
                    "wwn", wwn, "wwn", disk -> withoutPrefix(wwn).equals(withoutPrefix(disk.text("wwn")))));
        }
        Integer size = hints.minSizeGigabytes();
        if (size != null && size > 0) {
            rules.add(DiskRule.shownAnyway("minSizeGigabytes", size, disk -> disk.bytes() >= size * GIGABYTE));
        }
        if (hints.rotational() != null) {
            rules.add(DiskRule.rotational(hints.rotational()));
        }
        return new DiskRules("spec.installationDisk", rules, List.of());
    }

    boolean match(InventoryDisk disk) {
        return rules.stream().allMatch(rule -> rule.matches().test(disk));
    }

    /** The rules as {@code name=value}, for people. */
    public String described() {
        return rules.stream().map(DiskRule::toString).collect(Collectors.joining(", "));
    }

    /** The inventory's field for names of that kind. */
    private static String linkField(String device) {
        if (device.startsWith(BY_PATH)) {
            return "byPath";
        }
        return device.startsWith("/dev/disk/") ? "byID" : "path";
    }

    private static void equal(List<DiskRule> rules, String name, @Nullable String value, String field) {
        String wanted = text(value);
        if (wanted != null) {
            rules.add(DiskRule.text(name, wanted, field, disk -> wanted.equals(disk.text(field))));
        }
    }

    private static void part(List<DiskRule> rules, String name, @Nullable String value) {
        String wanted = text(value);
        if (wanted != null) {
            rules.add(DiskRule.text(
                    name, wanted, name, disk -> disk.lower(name).contains(wanted.toLowerCase(Locale.ROOT))));
        }
    }

    private static String withoutPrefix(String wwn) {
        return wwn.toLowerCase(Locale.ROOT).replaceFirst("^0x", "");
    }

    private static @Nullable String text(@Nullable String value) {
        return value == null || value.isBlank() ? null : value.strip();
    }
}
