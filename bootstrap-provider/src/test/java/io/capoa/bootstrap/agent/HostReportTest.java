package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostReportTest {

    @ParameterizedTest
    @CsvSource({
        "InstallationNotStarted, known, false",
        "InstallationInProgress, installing, true",
        "InstallationInProgress, installing-in-progress, true",
        "InstallationInProgress, installing-pending-user-action, false",
        "InstallationFailed, error, false",
        "InstallationCompleted, installed, false"
    })
    void aHostThatIsBeingInstalled_makesProgress_unlessSomebodyHasToAct(String reason, String state, boolean progress) {
        Agent agent = Serialization.unmarshal(
                """
                metadata: {name: a}
                status:
                  conditions: [{type: Installed, status: '%s', reason: %s}]
                  debugInfo: {state: %s}
                """.formatted(reason.endsWith("Completed") ? "True" : "False", reason, state), Agent.class);

        assertThat(HostReport.isProgress(agent)).isEqualTo(progress);
    }
}
