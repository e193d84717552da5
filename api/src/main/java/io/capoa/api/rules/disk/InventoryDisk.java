package io.capoa.api.rules.disk;

import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A disk that a host reported: in the inventory of its Agent ({@code status.inventory.disks}), or when it was inspected.
 *
 * @param entry the disk as the Agent has it
 */
public record InventoryDisk(Object entry) {

    /** The fields that are read. */
    public static final Set<String> FIELDS = Set.of(
            "byID",
            "byPath",
            "driveType",
            "hctl",
            "id",
            "installationEligibility",
            "model",
            "path",
            "serial",
            "sizeBytes",
            "vendor",
            "wwn");

    private static final double GIGABYTE = 1e9;
    private static final String LINKS = "/dev/disk/";

    /**
     * The two parts of a world wide name as udev writes it for SCSI and ATA disks: {@code ID_WWN} are the first 16
     * digits, {@code ID_WWN_VENDOR_EXTENSION} the other 16 where the disk has them, {@code ID_WWN_WITH_EXTENSION} all of
     * them (systemd, {@code src/udev/scsi_id/scsi_id.c}). Names of NVMe disks ({@code eui.…}) have no such parts.
     */
    private static final Pattern WWN = Pattern.compile("0x([0-9a-f]{16})([0-9a-f]{16})?");

    /**
     * A disk as baremetal-operator's inspection reported it, with the names of the Agent's inventory ({@code Storage} of
     * baremetal-operator, {@code apis/metal3.io/v1alpha1/baremetalhost_types.go}).
     *
     * @param storage an entry of {@code storage} of the host's hardware
     * @param leastGigabytes below which assisted-service does not install to it
     */
    public static InventoryDisk inspected(Object storage, int leastGigabytes) {
        List<String> names = Stream.concat(
                        Stream.of(Fields.text(storage, "name")),
                        Fields.list(storage, "alternateNames").stream().map(String::valueOf))
                .filter(name -> !name.isEmpty())
                .toList();
        String device = names.stream()
                .filter(name -> !name.startsWith(LINKS))
                .findFirst()
                .orElse(names.isEmpty() ? "" : names.getFirst());
        String wwn = Fields.text(storage, "wwnWithExtension");
        double bytes = Fields.any(storage, "sizeBytes") instanceof Number size ? size.doubleValue() : 0;
        return new InventoryDisk(Map.ofEntries(
                Map.entry("id", device),
                Map.entry("path", device),
                Map.entry("byPath", link(names, DiskRules.BY_PATH)),
                Map.entry("byID", link(names, LINKS + "by-id/")),
                Map.entry("driveType", Fields.isTrue(storage, "rotational") ? "HDD" : "SSD"),
                Map.entry("sizeBytes", bytes),
                Map.entry("hctl", Fields.text(storage, "hctl")),
                Map.entry("model", Fields.text(storage, "model")),
                Map.entry("vendor", Fields.text(storage, "vendor")),
                Map.entry("serial", Fields.text(storage, "serialNumber")),
                Map.entry("wwn", wwn.isEmpty() ? Fields.text(storage, "wwn") : wwn),
                Map.entry(
                        "installationEligibility",
                        bytes >= leastGigabytes * GIGABYTE
                                ? Map.of("eligible", true)
                                : Map.of(
                                        "notEligibleReasons",
                                        List.of("it has less than %d GB".formatted(leastGigabytes))))));
    }

    private static String link(List<String> names, String folder) {
        return names.stream()
                .filter(name -> name.startsWith(folder))
                .findFirst()
                .orElse("");
    }

    /** A field's text without blanks around it, empty when the inventory has none. */
    String text(String field) {
        return Fields.any(entry, field) instanceof String text ? text.strip() : "";
    }

    public String id() {
        return text("id");
    }

    String path() {
        return text("path");
    }

    /** Size in bytes, 0 when it is not reported. */
    double bytes() {
        return Fields.any(entry, "sizeBytes") instanceof Number size ? size.doubleValue() : 0;
    }

    /**
     * Whether assisted-service installs to the disk. It leaves the field out where it is false (assisted-service,
     * {@code api/v1beta1/agent_types.go}: {@code json:"eligible,omitempty"}).
     */
    public boolean isEligible() {
        return Fields.isTrue(entry, "installationEligibility", "eligible");
    }

    /** Why assisted-service does not install to the disk. */
    String obstacles() {
        List<?> reasons = Fields.list(entry, "installationEligibility", "notEligibleReasons");
        return reasons.isEmpty()
                ? "assisted-service gives no reason"
                : reasons.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Whether the disk spins; {@code null} where its drive type does not say, as those of storage networks. */
    @Nullable
    Boolean isRotational() {
        return switch (text("driveType").toUpperCase(Locale.ROOT)) {
            case "HDD" -> true;
            case "SSD" -> false;
            default -> null;
        };
    }

    boolean isMultipath() {
        return text("driveType").equalsIgnoreCase("Multipath");
    }

    /** Whether the disk is one of the paths that a multipath disk unites: both have the same name. */
    boolean isPathOf(InventoryDisk other) {
        return other.isMultipath()
                && !isMultipath()
                && !text("wwn").isEmpty()
                && text("wwn").equalsIgnoreCase(other.text("wwn"));
    }

    /**
     * Whether {@code wwn} names the disk. The inventory has udev's {@code ID_WWN_WITH_EXTENSION} where there is one, which
     * assisted-service compares; Metal3 compares {@code ID_WWN}, its first part. A multipath disk has the whole name only
     * ({@code DM_WWN}).
     */
    boolean hasWwn(String wanted) {
        Matcher parts = wwnParts();
        return wanted.equals(lower("wwn"))
                || (parts.matches() && !isMultipath() && wanted.equals("0x" + parts.group(1)));
    }

    /** Whether {@code wwn} is the disk's {@code ID_WWN_WITH_EXTENSION}, which NVMe disks do not have. */
    boolean hasWwnWithExtension(String wanted) {
        return wwnParts().matches() && wanted.equals(lower("wwn"));
    }

    /** Whether {@code extension} is the disk's {@code ID_WWN_VENDOR_EXTENSION}. */
    boolean hasWwnVendorExtension(String wanted) {
        Matcher parts = wwnParts();
        return parts.matches() && parts.group(2) != null && wanted.equals("0x" + parts.group(2));
    }

    /** Path and size, for people. */
    public String described() {
        return path() + " (" + Math.round(bytes() / GIGABYTE) + " GB)";
    }

    private Matcher wwnParts() {
        return WWN.matcher(lower("wwn"));
    }

    String lower(String field) {
        return text(field).toLowerCase(Locale.ROOT);
    }
}
