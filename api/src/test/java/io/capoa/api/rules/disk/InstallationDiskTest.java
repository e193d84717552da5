package io.capoa.api.rules.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.DiskHints;
import io.capoa.api.contract.Agent;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstallationDiskTest {

    private static final String FIT = "installationEligibility: {eligible: true, notEligibleReasons: []}";

    /** As assisted-service writes it: of a disk that it does not install to only the reasons. */
    private static final Agent AGENT = agent("""
            - {id: usb, path: /dev/sdz, driveType: SSD, sizeBytes: 9000000000000,
               installationEligibility: {notEligibleReasons: [Disk is removable]}}
            - {id: spinning, path: /dev/sda, byPath: /dev/disk/by-path/a, byID: /dev/disk/by-id/wwn-0x5000c500a0b1c2d3,
               driveType: HDD, sizeBytes: 4000000000000, wwn: '0x5000c500a0b1c2d3', serial: S1, model: ST4000,
               vendor: SEAGATE, hctl: '0:0:0:0', %1$s}
            - {id: fast, path: /dev/nvme0n1, driveType: SSD, sizeBytes: 480000000000, model: Samsung PM9A3,
               wwn: eui.0025385b71b00e7f, %1$s}
            - {id: lun, path: /dev/sdb, driveType: iSCSI, sizeBytes: 100000000000, vendor: LIO-ORG,
               wwn: '0x6001405d27e5d898829468b90ce4ef8c', %1$s}
            """.formatted(FIT));

    private static final Agent MULTIPATH = agent("""
            - {id: local, path: /dev/sdc, driveType: SSD, sizeBytes: 480000000000, %1$s}
            - {id: path-a, path: /dev/sda, driveType: FC, wwn: '0x6001405d27e5d898829468b90ce4ef8c', vendor: PURE, %1$s}
            - {id: path-b, path: /dev/sdb, driveType: FC, wwn: '0x6001405d27e5d898829468b90ce4ef8c', vendor: PURE, %1$s}
            - {id: united, path: /dev/dm-0, driveType: Multipath, wwn: '0x6001405d27e5d898829468b90ce4ef8c', %1$s}
            """.formatted(FIT));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deviceName: /dev/sda                                       | spinning",
                "deviceName: /dev/disk/by-path/a                            | spinning",
                "wwn: '0x5000C500A0B1C2D3'                                  | spinning",
                "wwnWithExtension: '0x5000c500a0b1c2d3'                     | spinning",
                "wwn: eui.0025385b71b00e7f                                  | fast",
                "wwn: '0x6001405d27e5d898'                                  | lun",
                "wwn: '0x6001405d27e5d898829468b90ce4ef8c'                  | lun",
                "wwnWithExtension: '0x6001405d27e5d898829468b90ce4ef8c'     | lun",
                "wwnVendorExtension: '0x829468b90ce4ef8c'                   | lun",
                "serialNumber: S1                                           | spinning",
                "hctl: '0:0:0:0'                                            | spinning",
                "vendor: seagate                                            | spinning",
                "rotational: false                                          | fast",
                "rotational: true                                           | spinning",
                "model: pm9a3                                               | fast",
                "minSizeGigabytes: 100                                      | spinning",
                "{minSizeGigabytes: 100, model: PM}                         | fast",
                "{deviceName: '', model: PM9A3, minSizeGigabytes: 0}        | fast",
            })
    void theFirstDiskThatAllHintsMatch_isChosen(String hints, String id) {
        assertThat(choose(AGENT, hints)).isEqualTo(new DiskChoice.Chosen(id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wwnWithExtension: '0x6001405d27e5d898'",
                "wwnWithExtension: eui.0025385b71b00e7f",
                "wwnVendorExtension: '0x5000c500a0b1c2d3'",
                "wwn: 5000c500a0b1c2d3",
                "deviceName: /dev/disk/by-id/wwn-0x5000c500a0b1c2d3",
                "deviceName: sda",
                "serialNumber: S",
                "hctl: '0:0:0'",
                "minSizeGigabytes: 9000",
                "{serialNumber: S1, model: PM9A3}",
                "{rotational: false, deviceName: /dev/sdb}",
                "{minSizeGigabytes: 480, model: PM9A3}"
            })
    void whatNoDiskHas_choosesNone(String hints) {
        assertThat(none(AGENT, hints)).contains("There is no disk with", "BareMetalHost ns/h1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                        | names no property",
                "{deviceName: '', minSizeGigabytes: 0}     | names no property",
                "{colour: red}                             | colour is not known",
                "{colour: red, deviceName: /dev/sda}       | colour is not known",
                "{model: ' '}                              | model is no text",
                "{minSizeGigabytes: '5'}                   | minSizeGigabytes is no size",
                "{minSizeGigabytes: -5}                    | minSizeGigabytes is no size",
                "{rotational: 'yes'}                       | rotational is neither",
                "[/dev/sda]                                | no object",
            })
    void hintsThatCannotBeUsed_chooseNone_andSaySo(String hints, String why) {
        assertThat(none(AGENT, hints)).contains("spec.rootDeviceHints of BareMetalHost ns/h1", why, "remove it");
    }

    @Test
    void withoutHints_theChoiceIsLeftToTheService() {
        assertThat(InstallationDisk.choose(AGENT, null, null)).isEqualTo(new DiskChoice.Unasked());
        assertThat(InstallationDisk.choose(AGENT, null, host(null))).isEqualTo(new DiskChoice.Unasked());
    }

    @Test
    void aDiskThatCannotBeInstalledTo_isNotReplacedByAnother() {
        assertThat(none(AGENT, "deviceName: /dev/sdz")).contains("/dev/sdz (9000 GB)", "Disk is removable", "No other");
    }

    @Test
    void ofAMultipathDiskAndItsPaths_theMultipathDiskIsChosen() {
        String wwn = "'0x6001405d27e5d898829468b90ce4ef8c'";

        assertThat(choose(MULTIPATH, "wwn: " + wwn)).isEqualTo(new DiskChoice.Chosen("united"));
        assertThat(choose(MULTIPATH, "wwnWithExtension: " + wwn)).isEqualTo(new DiskChoice.Chosen("united"));
        assertThat(none(MULTIPATH, "deviceName: /dev/sdb")).contains("path of the multipath disk /dev/dm-0");
        assertThat(none(MULTIPATH, "vendor: PURE")).contains("path of the multipath disk /dev/dm-0");
        assertThat(none(MULTIPATH, "{rotational: true}")).contains("rotational unknown for drive type Multipath");
    }

    @Test
    void theMessageShowsWhatTheDisksHave() {
        assertThat(none(AGENT, "serialNumber: S2")).contains("serialNumber=S2", "/dev/sda (4000 GB) [serialNumber S1]");
        assertThat(InstallationDisk.choose(new Agent(), null, host("{model: x}")))
                .isEqualTo(new DiskChoice.NotReported());
    }

    @Test
    void aDeviceNameThatNoDiskHas_isAnsweredWithTheNamesThatItWasComparedWith() {
        assertThat(none(AGENT, "deviceName: /dev/disk/by-path/b"))
                .contains("/dev/sda (4000 GB) [deviceName /dev/disk/by-path/a], /dev/nvme0n1 (480 GB), ");
        assertThat(none(AGENT, "deviceName: /dev/sdq")).contains("only /dev/sdz (9000 GB), /dev/sda (4000 GB), ");
        assertThat(own("deviceName: /dev/disk/by-path/b"))
                .contains("/dev/sda (4000 GB) [deviceName /dev/disk/by-path/a], /dev/nvme0n1 (480 GB), ");
        assertThat(own("deviceName: /dev/disk/by-id/wwn-0x5"))
                .contains("/dev/sda (4000 GB) [deviceName /dev/disk/by-id/wwn-0x5000c500a0b1c2d3], /dev/nvme0n1");
        assertThat(own("deviceName: /dev/sdq")).contains("only /dev/sdz (9000 GB), /dev/sda (4000 GB), ");
    }

    private static String own(String hints) {
        DiskChoice choice =
                InstallationDisk.choose(AGENT, Serialization.unmarshal("---\n" + hints, DiskHints.class), null);
        assertThat(choice).isInstanceOf(DiskChoice.None.class);
        return ((DiskChoice.None) choice).message();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deviceName: /dev/disk/by-id/wwn-0x5000c500a0b1c2d3   | spinning",
                "wwn: 5000C500A0B1C2D3                                | spinning",
                "wwn: 0025385b71b00e7f                                | ",
                "minSizeGigabytes: 480                                | spinning",
                "{minSizeGigabytes: 480, rotational: false}           | fast",
                "{vendor: '', model: pm9}                             | fast",
                "{}                                                   | ",
                "{model: ' '}                                         | ",
            })
    void theConfigsOwnChoice_goesByItsDescription(String hints, @Nullable String id) {
        DiskHints wanted = Serialization.unmarshal("---\n" + hints, DiskHints.class);

        DiskChoice choice = InstallationDisk.choose(AGENT, wanted, host("{serialNumber: S9}"));

        if (id == null) {
            assertThat(choice)
                    .isInstanceOfSatisfying(
                            DiskChoice.None.class,
                            none -> assertThat(none.message()).contains("spec.installationDisk"));
        } else {
            assertThat(choice).isEqualTo(new DiskChoice.Chosen(id));
        }
    }

    private static String none(Agent agent, String hints) {
        DiskChoice choice = choose(agent, hints);
        assertThat(choice).isInstanceOf(DiskChoice.None.class);
        return ((DiskChoice.None) choice).message();
    }

    private static DiskChoice choose(Agent agent, String hints) {
        return InstallationDisk.choose(
                agent, null, host(hints.startsWith("{") || hints.startsWith("[") ? hints : "{" + hints + "}"));
    }

    private static @Nullable DiskRules host(@Nullable String hints) {
        return RootDeviceHints.of(
                hints == null ? null : Serialization.unmarshal("---\n" + hints, Object.class),
                "spec.rootDeviceHints of BareMetalHost ns/h1");
    }

    private static Agent agent(String disks) {
        return Serialization.unmarshal("status:\n  inventory:\n    disks:\n" + disks.indent(4), Agent.class);
    }
}
