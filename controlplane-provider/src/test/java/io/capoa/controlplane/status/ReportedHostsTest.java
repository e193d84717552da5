package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The message while an installation waits for its hosts. */
class ReportedHostsTest {

    @Test
    void countsRegisteredHosts_andNamesTheMissing() {
        assertThat(ReportedHosts.message(List.of(config("a", true), config("b", false), config("c", null)), 3))
                .isEqualTo("1 of 3 hosts have reported to assisted-service; see OpenshiftAssistedConfig b, c");
    }

    @Test
    void hostsWithoutAConfig_areCounted() {
        assertThat(ReportedHosts.message(List.of(config("a", true)), 5))
                .isEqualTo("1 of 5 hosts have reported to assisted-service");
    }

    @Test
    void whenAllHaveReported_theServiceValidates() {
        assertThat(ReportedHosts.message(List.of(config("a", true)), 1))
                .isEqualTo("the host has reported to assisted-service, which validates the cluster");
    }

    @Test
    void aLongListOfNames_isTruncated() {
        List<OpenshiftAssistedConfig> configs = new ArrayList<>();
        for (int n = 0; n < 7; n++) {
            configs.add(config("w" + n, false));
        }

        assertThat(ReportedHosts.message(configs, 0)).endsWith("OpenshiftAssistedConfig w0, w1, w2, w3, w4 and 2 more");
    }

    private static OpenshiftAssistedConfig config(String name, @Nullable Boolean reported) {
        var config = new OpenshiftAssistedConfig();
        config.getMetadata().setName(name);
        if (reported != null) {
            config.setStatus(new OpenshiftAssistedConfigStatus(
                    null,
                    null,
                    null,
                    List.of(new Condition(
                            "AgentRegistered",
                            reported ? "True" : "False",
                            "Reason",
                            "",
                            "2026-01-01T00:00:00Z",
                            1L))));
        }
        return config;
    }
}
