package io.capoa.api.rules;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.DiskHints;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates hints that choose the installation disk: a hint in another form than the inventory's matches no disk. */
final class DiskHintRules {

    /** A device or a link to one; udev's other links name partitions and file systems, not disks. */
    private static final Pattern DEVICE =
            Pattern.compile("/dev/(?!disk/)[^/\\s]+(/[^/\\s]+)*|/dev/disk/by-(path|id)/[^/\\s]+");

    private static final Pattern HCTL = Pattern.compile("\\d+:\\d+:\\d+:\\d+");

    /** Hexadecimal for SCSI and ATA disks, with the kind of the name for others (Linux, {@code nvme_wwid_show}). */
    private static final Pattern WWN = Pattern.compile("(?:0x)?([0-9a-f]+)|(?:eui|naa|nvme|t10|uuid)\\.\\S+");

    private DiskHintRules() {}

    static void check(Section section, @Nullable DiskHints hints) {
        if (hints == null) {
            return;
        }
        String device = Section.given(hints.deviceName());
        if (device != null && !DEVICE.matcher(device.strip()).matches()) {
            section.in("deviceName")
                    .refuse(device + " is no path that the inventory of a host has: write /dev/sda or a link in"
                            + " /dev/disk/by-path or /dev/disk/by-id");
        }
        String hctl = Section.given(hints.hctl());
        if (hctl != null && !HCTL.matcher(hctl.strip()).matches()) {
            section.in("hctl").refuse(hctl + " is no SCSI address: write host:channel:target:lun, such as 0:0:0:0");
        }
        worldWideName(section.in("wwn"), Section.given(hints.wwn()));
        boolean sized = hints.minSizeGigabytes() != null && hints.minSizeGigabytes() > 0;
        if (hints.minSizeGigabytes() != null && !sized) {
            section.in("minSizeGigabytes")
                    .warn(hints.minSizeGigabytes() + " matches every disk: write 1 or more, or leave it out");
        }
        boolean named = Stream.of(
                        hints.deviceName(),
                        hints.hctl(),
                        hints.model(),
                        hints.vendor(),
                        hints.serialNumber(),
                        hints.wwn())
                .map(Section::given)
                .anyMatch(Objects::nonNull);
        if (!named && !sized && hints.rotational() == null) {
            section.refuseTogether("names no property of a disk, so that none is chosen: write deviceName or"
                    + " minSizeGigabytes, for example, or remove it");
        }
    }

    private static void worldWideName(Section field, @Nullable String value) {
        if (value == null) {
            return;
        }
        Matcher name = WWN.matcher(value.strip().toLowerCase(Locale.ROOT));
        if (!name.matches()) {
            field.refuse(value + " is no world wide name: write hexadecimal digits without separators, with or without"
                    + " 0x, such as 0x5000c500a0b1c2d3, or the name of an NVMe disk, such as eui.0025385b71b00e7f");
        } else if (name.group(1) != null
                && name.group(1).length() != 16
                && name.group(1).length() != 32) {
            field.warn("%s has %d digits, and those of disks have 16, or 32 with the vendor's extension: write all of"
                            .formatted(value, name.group(1).length())
                    + " them");
        }
    }
}
