package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.DiskHints;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstallationDiskTest {

    private static final Agent AGENT = Serialization.unmarshal("""
            status:
              inventory:
                disks:
                  - {id: usb, path: /dev/sdz, driveType: SSD, sizeBytes: 9000000000000, installationEligibility: {eligible: false}}
                  - {id: spinning, path: /dev/sda, byPath: /dev/disk/by-path/a, driveType: HDD, sizeBytes: 4000000000000,
                     wwn: '0x5000AB', serial: S1, model: ST4000, vendor: SEAGATE, hctl: '0:0:0:0'}
                  - {id: fast, path: /dev/nvme0n1, driveType: SSD, sizeBytes: 480000000000, model: Samsung PM9A3}
            """, Agent.class);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deviceName: /dev/sda                | spinning",
                "deviceName: /dev/disk/by-path/a     | spinning",
                "wwn: 5000ab                         | spinning",
                "serialNumber: S1                    | spinning",
                "hctl: '0:0:0:0'                     | spinning",
                "vendor: seagate                     | spinning",
                "rotational: false                   | fast",
                "model: pm9a3                        | fast",
                "minSizeGigabytes: 100               | spinning",
                "{minSizeGigabytes: 100, model: PM}  | fast",
            })
    void theFirstDiskThatAllHintsMatch_isTaken(String hints, String id) {
        assertThat(InstallationDisk.matching(AGENT, hints(hints))).contains(id);
    }

    @Test
    void aDiskThatCannotBeInstalledTo_isNone() {
        assertThat(InstallationDisk.matching(AGENT, hints("deviceName: /dev/sdz")))
                .isEmpty();
        assertThat(InstallationDisk.matching(AGENT, hints("{serialNumber: S1, model: PM9A3}")))
                .isEmpty();
    }

    @Test
    void hintsAreReadOffTheBareMetalHost() {
        BareMetalHost host = Serialization.unmarshal(
                "spec: {rootDeviceHints: {deviceName: /dev/sda, minSizeGigabytes: 5, rotational: true}}",
                BareMetalHost.class);

        DiskHints hints = Objects.requireNonNull(InstallationDisk.hints(host));

        assertThat(InstallationDisk.described(hints))
                .isEqualTo("deviceName=/dev/sda, minSizeGigabytes=5, rotational=true");
        assertThat(InstallationDisk.hints(Serialization.unmarshal("spec: {}", BareMetalHost.class)))
                .isNull();
    }

    @Test
    void disksAreListedForPeople() {
        assertThat(InstallationDisk.listed(AGENT)).contains("/dev/sda (4000 GB)", "/dev/nvme0n1 (480 GB)");
        assertThat(InstallationDisk.isReported(new Agent())).isFalse();
    }

    private static DiskHints hints(String yaml) {
        return Serialization.unmarshal("---\n" + yaml, DiskHints.class);
    }
}
