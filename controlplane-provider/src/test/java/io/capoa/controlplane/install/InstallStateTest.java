package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.AgentClusterInstall;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstallStateTest {

    @ParameterizedTest
    @CsvSource({
        "ready, false",
        "preparing-for-installation, true",
        "installing, true",
        "finalizing, true",
        "installing-pending-user-action, false",
        "error, false",
        "cancelled, false"
    })
    void anInstallationThatHasBegun_advances_unlessItFailsOrSomebodyHasToAct(String state, boolean advances) {
        AgentClusterInstall install = Serialization.unmarshal(
                "metadata: {name: a}\nstatus: {debugInfo: {state: %s}}".formatted(state), AgentClusterInstall.class);

        assertThat(InstallState.of(install).advances()).isEqualTo(advances);
    }

    @ParameterizedTest
    @CsvSource({"adding-hosts", "installed"})
    void anInstallationThatIsComplete_advancesNoMore(String state) {
        AgentClusterInstall install = Serialization.unmarshal("""
                metadata: {name: a}
                status:
                  debugInfo: {state: %s}
                  conditions: [{type: Completed, status: 'True', reason: InstallationCompleted}]
                """.formatted(state), AgentClusterInstall.class);

        assertThat(InstallState.of(install).advances()).isFalse();
    }
}
