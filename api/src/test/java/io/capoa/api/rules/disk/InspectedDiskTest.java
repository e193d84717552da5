package io.capoa.api.rules.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hints compared with what baremetal-operator's inspection reported. */
class InspectedDiskTest {

    private static final Map<String, Object> SMALL =
            Map.of("name", "/dev/sda", "rotational", true, "sizeBytes", 50_000_000_000L, "model", "ST50");

    private static final Map<String, Object> LARGE = Map.of(
            "name",
            "/dev/disk/by-path/pci-0000:00:1f.2-ata-1",
            "alternateNames",
            List.of("/dev/sdb", "/dev/disk/by-path/pci-0000:00:1f.2-ata-1"),
            "rotational",
            false,
            "sizeBytes",
            480_000_000_000L,
            "serialNumber",
            "S2",
            "hctl",
            "1:0:0:0",
            "wwn",
            "0x6001405d27e5d898",
            "wwnWithExtension",
            "0x6001405d27e5d898829468b90ce4ef8c");

    @ParameterizedTest
    @CsvSource({
        "deviceName, /dev/sdb",
        "deviceName, /dev/disk/by-path/pci-0000:00:1f.2-ata-1",
        "serialNumber, s2",
        "hctl, 1:0:0:0",
        "wwn, 0x6001405d27e5d898",
        "wwnWithExtension, 0x6001405d27e5d898829468b90ce4ef8c",
        "wwnVendorExtension, 0x829468b90ce4ef8c"
    })
    void aHint_findsTheDisk_asItWillInTheAgentsInventory(String name, String value) {
        assertThat(choice(Map.of(name, value))).isEqualTo(new DiskChoice.Chosen("/dev/sdb"));
    }

    @Test
    void aDiskOfTheRightPropertiesThatIsTooSmall_isNotTaken() {
        assertThat(choice(Map.of("rotational", true)))
                .isInstanceOfSatisfying(
                        DiskChoice.None.class,
                        none -> assertThat(none.message()).contains("/dev/sda (50 GB): it has less than 100 GB"));
    }

    @Test
    void aHintWithoutADisk_namesThoseThatThereAre() {
        assertThat(choice(Map.of("model", "PM9A3")))
                .isInstanceOfSatisfying(
                        DiskChoice.None.class,
                        none -> assertThat(none.message())
                                .contains(
                                        "no disk with model=PM9A3",
                                        "/dev/sda (50 GB) [model ST50]",
                                        "/dev/sdb (480 GB)"));
    }

    private static DiskChoice choice(Map<String, Object> hints) {
        DiskRules rules = RootDeviceHints.of(hints, "spec.rootDeviceHints");
        assertThat(rules).isNotNull();
        return InstallationDisk.choose(
                List.of(InventoryDisk.inspected(SMALL, 100), InventoryDisk.inspected(LARGE, 100)), rules);
    }
}
