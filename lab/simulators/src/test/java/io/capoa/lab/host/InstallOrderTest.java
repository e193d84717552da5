package io.capoa.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Install instructions of the simulated service, which are complete, and of the real one, which leaves details to the
 * installer.
 */
class InstallOrderTest {

    @Test
    void detailsInTheInstruction_areFollowed() throws Refused {
        InstallOrder order = InstallOrder.of(Map.of(
                "stages",
                List.of("Installing", "Rebooting", "Joined"),
                "host_name",
                "a",
                "node_labels",
                Map.of("x", "y"),
                "day2",
                true));

        assertThat(order.toReboot()).containsExactly("Installing", "Rebooting");
        assertThat(order.afterReboot()).containsExactly("Joined");
        assertThat(order.hostname()).isEqualTo("a");
        assertThat(order.labels()).isEqualTo(Map.of("x", "y"));
        assertThat(order.addedLater()).isTrue();
        assertThat(order.namesStages()).isTrue();
    }

    @Test
    void missingDetails_haveDefaults() throws Refused {
        InstallOrder order = InstallOrder.of(Map.of("role", "master"));

        assertThat(order.toReboot())
                .containsExactly("Starting installation", "Installing", "Writing image to disk", "Rebooting");
        assertThat(order.afterReboot()).containsExactly("Configuring", "Joined", "Done");
        assertThat(order.hostname()).isNull();
        assertThat(order.labels()).isEmpty();
        assertThat(order.addedLater()).isFalse();
        assertThat(order.namesStages()).isFalse();
    }

    @Test
    void stagesWithoutAReboot_areRefused() {
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(() -> InstallOrder.of(Map.of("stages", List.of("Installing"))));
    }
}
