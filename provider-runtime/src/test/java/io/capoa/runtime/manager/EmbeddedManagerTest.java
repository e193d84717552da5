package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.runtime.failure.StartFailure;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A manager that cannot start leaves the process that embeds it as it was. */
class EmbeddedManagerTest {

    private static EmbeddedManager start(String... args) throws Exception {
        return Manager.start(
                new ManagerDescription("bootstrap", "lease", "namespace"),
                registrar -> {
                    throw new IllegalStateException("must not get this far");
                },
                args);
    }

    @Test
    void aWrongCommandLine_isNamed() {
        assertThatThrownBy(() -> start("--nope"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--nope");
    }

    @Test
    void aFailedStart_leavesNoMeters() {
        Set<MeterRegistry> before = Set.copyOf(Metrics.globalRegistry.getRegistries());

        assertThatThrownBy(() ->
                        start("--kubeconfig=/nowhere", "--metrics-bind-address=0", "--health-probe-bind-address=0"))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("/nowhere");

        assertThat(Metrics.globalRegistry.getRegistries()).isEqualTo(before);
    }
}
