package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.lab.workload.MachineConfigRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DiscoveryIsoTest {

    @Test
    void anImageHasAnIgnition_andTheVersionOfItsOperatingSystem() throws IOException {
        byte[] ignition = "{\n}".getBytes(StandardCharsets.US_ASCII);
        byte[] image = DiscoveryIso.of(ignition, "4.21");

        assertThat(DiscoveryIso.ignition(image)).isEqualTo(ignition);
        assertThat(DiscoveryIso.version(image)).isEqualTo("4.21");
        assertThatThrownBy(() -> DiscoveryIso.version(ignition))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no discovery ISO");
    }

    @Test
    void theMachineConfigNamesItsRelease() throws IOException {
        byte[] file = MachineConfigRelease.text("4.21").getBytes(StandardCharsets.UTF_8);

        assertThat(MachineConfigRelease.minor(file)).isEqualTo("4.21");
    }
}
