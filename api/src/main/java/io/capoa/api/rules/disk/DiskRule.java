package io.capoa.api.rules.disk;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One property that the installation disk must have.
 *
 * @param name of the field that asks for it
 * @param wanted its value
 * @param matches whether a disk has it
 * @param shown the disk's own value, for people
 */
record DiskRule(String name, Object wanted, Predicate<InventoryDisk> matches, Function<InventoryDisk, String> shown) {

    /** A rule about a text of the inventory. */
    static DiskRule text(String name, Object wanted, String field, Predicate<InventoryDisk> matches) {
        return new DiskRule(name, wanted, matches, disk -> disk.text(field));
    }

    /**
     * A rule about the device's name, which may be a link to it. The path is in every listing.
     *
     * @param field of the inventory that has names of the wanted kind
     */
    static DiskRule device(String wanted, String field, Predicate<InventoryDisk> matches) {
        return new DiskRule("deviceName", wanted, matches, disk -> field.equals("path") ? "" : disk.text(field));
    }

    /** A rule about what every listing of a disk shows. */
    static DiskRule shownAnyway(String name, Object wanted, Predicate<InventoryDisk> matches) {
        return new DiskRule(name, wanted, matches, disk -> "");
    }

    /** Whether the disk spins; a drive type that does not say it matches neither. */
    static DiskRule rotational(boolean wanted) {
        return new DiskRule(
                "rotational",
                wanted,
                disk -> Boolean.valueOf(wanted).equals(disk.isRotational()),
                disk -> disk.isRotational() == null
                        ? "unknown for drive type " + disk.text("driveType")
                        : String.valueOf(disk.isRotational()));
    }

    @Override
    public String toString() {
        return name + "=" + wanted;
    }
}
