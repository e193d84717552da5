package io.capoa.api.rules.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random hints and disks against Metal3's own rules: what baremetal-operator makes of the hints and Ironic compares with
 * what udev says of the disks, of which the inventory shows a part only.
 */
class RootDeviceHintsPropertyTest {

    private static final int CASES = 20_000;
    private static final List<String> HINTS = List.of(
            "deviceName",
            "hctl",
            "model",
            "vendor",
            "serialNumber",
            "minSizeGigabytes",
            "wwn",
            "wwnWithExtension",
            "wwnVendorExtension",
            "rotational",
            "colour");

    /** A disk as udev and the kernel know it; what it does not have is {@code null}. */
    private record Device(
            String name,
            @Nullable String byPath,
            @Nullable String hctl,
            @Nullable String model,
            @Nullable String vendor,
            @Nullable String serial,
            long size,
            @Nullable String wwn,
            @Nullable String wwnWithExtension,
            @Nullable String wwnVendorExtension,
            boolean rotational,
            String driveType,
            boolean eligible) {

        /** As the host's agent and assisted-service put it into the inventory. */
        Map<String, Object> inventory() {
            Map<String, Object> disk = new LinkedHashMap<>();
            disk.put("id", "id-of-" + name);
            disk.put("path", name);
            put(disk, "byPath", byPath);
            put(disk, "byID", wwn == null ? null : "/dev/disk/by-id/wwn-" + wwn);
            put(disk, "hctl", hctl);
            put(disk, "model", model);
            put(disk, "vendor", vendor);
            put(disk, "serial", serial);
            put(disk, "wwn", wwnWithExtension == null ? wwn : wwnWithExtension);
            disk.put("sizeBytes", size);
            disk.put("driveType", driveType);
            disk.put(
                    "installationEligibility",
                    eligible
                            ? Map.of("eligible", true, "notEligibleReasons", List.of())
                            : Map.of("notEligibleReasons", List.of("unfit")));
            return disk;
        }

        private static void put(Map<String, Object> disk, String field, @Nullable String value) {
            if (value != null) {
                disk.put(field, value);
            }
        }
    }

    @Test
    void noHintsEverChooseADiskThatMetal3WouldNot() {
        int chosen = 0;
        int refused = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            List<Device> devices = devices(random);
            Map<String, Object> hints = hints(random, devices);

            DiskChoice choice = InstallationDisk.choose(agent(devices), null, host(hints));

            if (choice instanceof DiskChoice.Chosen found) {
                Device device = devices.stream()
                        .filter(d -> found.id().equals("id-of-" + d.name()))
                        .findFirst()
                        .orElseThrow();
                assertThat(metal3Accepts(device, hints))
                        .as("seed %d: %s by %s", seed, device, hints)
                        .isTrue();
                assertThat(device.eligible()).as("seed %d: eligible", seed).isTrue();
                // Whether a multipath disk spins is not in the inventory.
                boolean multipath = !hints.containsKey("rotational")
                        && devices.stream()
                                .filter(d -> d.driveType().equals("Multipath"))
                                .anyMatch(d -> d.eligible() && metal3Accepts(d, hints));
                assertThat(!multipath || device.driveType().equals("Multipath"))
                        .as("seed %d: a multipath disk goes first", seed)
                        .isTrue();
                chosen++;
            } else {
                assertThat(choice).as("seed %d", seed).isInstanceOf(DiskChoice.None.class);
                refused++;
            }
        }
        assertThat(chosen).as("hints that choose").isGreaterThan(CASES / 10);
        assertThat(refused).as("hints that do not").isGreaterThan(CASES / 10);
    }

    /** Every local disk that Metal3 finds by one property alone is found here, where the inventory shows that property. */
    @Test
    void whatMetal3FindsByOneProperty_isFound() {
        for (int seed = 0; seed < CASES / 10; seed++) {
            Random random = new Random(seed);
            Device disk = scsi(random, 0);
            for (String hint : HINTS) {
                Object value = value(hint, disk);
                boolean shown =
                        !hint.equals("rotational") || List.of("HDD", "SSD").contains(disk.driveType());
                if (value != null && disk.eligible() && shown && metal3Accepts(disk, Map.of(hint, value))) {
                    assertThat(InstallationDisk.choose(agent(List.of(disk)), null, host(Map.of(hint, value))))
                            .as("%s=%s of %s", hint, value, disk)
                            .isEqualTo(new DiskChoice.Chosen("id-of-" + disk.name()));
                }
            }
        }
    }

    /** devicehints.go and device_hints.py, hint by hint; the hint that neither knows fails the deployment. */
    private static boolean metal3Accepts(Device device, Map<String, Object> hints) {
        boolean any = false;
        for (Map.Entry<String, Object> hint : hints.entrySet()) {
            Object value = hint.getValue();
            if (value.equals("") || value.equals(0)) {
                continue;
            }
            any = true;
            String text = value.toString().strip().toLowerCase(Locale.ROOT);
            boolean accepted = switch (hint.getKey()) {
                case "deviceName" ->
                    equal(text, text.startsWith("/dev/disk/by-path/") ? device.byPath() : device.name());
                case "hctl" -> equal(text, device.hctl());
                case "model" -> contained(text, device.model());
                case "vendor" -> contained(text, device.vendor());
                case "serialNumber" -> equal(text, device.serial());
                case "minSizeGigabytes" -> device.size() / (double) (1L << 30) >= (int) value;
                // The whole name too: what assisted-service compares.
                case "wwn" -> equal(text, device.wwn()) || equal(text, device.wwnWithExtension());
                case "wwnWithExtension" -> equal(text, device.wwnWithExtension());
                case "wwnVendorExtension" -> equal(text, device.wwnVendorExtension());
                case "rotational" -> value.equals(device.rotational());
                default -> false;
            };
            if (!accepted) {
                return false;
            }
        }
        return any;
    }

    private static boolean equal(String hint, @Nullable String value) {
        return value != null && !value.isBlank() && hint.equals(value.strip().toLowerCase(Locale.ROOT));
    }

    private static boolean contained(String hint, @Nullable String value) {
        return value != null
                && !value.isBlank()
                && value.toLowerCase(Locale.ROOT).contains(hint);
    }

    private static List<Device> devices(Random random) {
        List<Device> devices = new ArrayList<>();
        IntStream.range(0, 1 + random.nextInt(4))
                .forEach(number -> devices.add(random.nextInt(4) == 0 ? nvme(random, number) : scsi(random, number)));
        if (random.nextInt(3) == 0) {
            devices.addAll(multipath(random));
        }
        return devices;
    }

    private static Device scsi(Random random, int number) {
        String unit = "0x5000c500a0b1c2d" + random.nextInt(4);
        String extension = random.nextBoolean() ? null : "829468b90ce4ef8" + random.nextInt(4);
        boolean rotational = random.nextBoolean();
        boolean remote = random.nextInt(4) == 0;
        boolean named = random.nextInt(5) > 0;
        return new Device(
                "/dev/sd" + (char) ('a' + number),
                maybe(random, "/dev/disk/by-path/pci-0000:0" + number),
                maybe(random, number + ":0:0:0"),
                maybe(random, List.of("ST4000NM", "Samsung PM9A3", "PM9").get(random.nextInt(3))),
                maybe(random, List.of("SEAGATE", "ATA", "LIO-ORG").get(random.nextInt(3))),
                maybe(random, "S" + random.nextInt(4)),
                size(random),
                named ? unit : null,
                named ? unit + Objects.requireNonNullElse(extension, "") : null,
                named && extension != null ? "0x" + extension : null,
                rotational,
                remote ? "iSCSI" : rotational ? "HDD" : "SSD",
                random.nextInt(4) > 0);
    }

    private static Device nvme(Random random, int number) {
        return new Device(
                "/dev/nvme" + number + "n1",
                maybe(random, "/dev/disk/by-path/pci-0000:1" + number),
                null,
                maybe(random, "Samsung PM9A3"),
                null,
                maybe(random, "S" + random.nextInt(4)),
                size(random),
                maybe(random, "eui.0025385b71b00e7" + random.nextInt(4)),
                null,
                null,
                false,
                "SSD",
                random.nextInt(4) > 0);
    }

    /** Two paths, which Ironic leaves out, and the disk that unites them: by its whole name alone. */
    private static List<Device> multipath(Random random) {
        String wwn = "0x6001405d27e5d898829468b90ce4ef8" + random.nextInt(3);
        List<Device> devices = new ArrayList<>();
        for (int number = 8; number < 10; number++) {
            devices.add(new Device(
                    "/dev/sd" + (char) ('a' + number),
                    null,
                    null,
                    null,
                    null,
                    null,
                    0,
                    null,
                    wwn,
                    null,
                    true,
                    "FC",
                    true));
        }
        devices.add(new Device(
                "/dev/dm-0",
                null,
                null,
                null,
                null,
                null,
                size(random),
                null,
                wwn,
                "0x" + wwn.substring(18),
                true,
                "Multipath",
                random.nextInt(4) > 0));
        return devices;
    }

    private static Map<String, Object> hints(Random random, List<Device> devices) {
        Map<String, Object> hints = new LinkedHashMap<>();
        for (int number = random.nextInt(4); number > 0; number--) {
            String hint = HINTS.get(random.nextInt(HINTS.size()));
            Object value = value(hint, devices.get(random.nextInt(devices.size())));
            if (value != null) {
                hints.put(hint, random.nextInt(8) == 0 ? twisted(random, value) : value);
            }
        }
        return hints;
    }

    private static @Nullable Object value(String hint, Device device) {
        return switch (hint) {
            case "deviceName" -> device.byPath() == null ? device.name() : device.byPath();
            case "hctl" -> device.hctl();
            case "model" -> device.model() == null ? null : device.model().substring(1);
            case "vendor" -> device.vendor();
            case "serialNumber" -> device.serial();
            case "minSizeGigabytes" -> (int) (device.size() / 1_000_000_000L);
            case "wwn" -> device.wwn();
            case "wwnWithExtension" -> device.wwnWithExtension();
            case "wwnVendorExtension" -> device.wwnVendorExtension();
            case "rotational" -> device.rotational();
            default -> "red";
        };
    }

    private static Object twisted(Random random, Object value) {
        if (!(value instanceof String text) || text.length() < 2) {
            return value instanceof Integer ? 0 : value;
        }
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> text.substring(1);
            case 2 -> text.toUpperCase(Locale.ROOT);
            default -> " " + text;
        };
    }

    private static long size(Random random) {
        return List.of(100_000_000_000L, 107_374_182_400L, 480_000_000_000L).get(random.nextInt(3));
    }

    private static @Nullable String maybe(Random random, String value) {
        return random.nextInt(4) == 0 ? null : value;
    }

    private static Agent agent(List<Device> devices) {
        Agent agent = new Agent();
        agent.setAdditionalProperty(
                "status",
                Map.of(
                        "inventory",
                        Map.of("disks", devices.stream().map(Device::inventory).toList())));
        return agent;
    }

    private static @Nullable DiskRules host(Map<String, Object> hints) {
        return RootDeviceHints.of(hints, "spec.rootDeviceHints of BareMetalHost ns/h1");
    }
}
