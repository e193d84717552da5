package io.capoa.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every state of assisted-service (models/cluster.go and models/host.go) is said in words for people. */
class AssistedStateTest {

    private static final Pattern OF_THE_SERVICE =
            Pattern.compile("-|insufficient|pending|known|adding|error|reclaim|bind");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insufficient",
                "ready",
                "error",
                "preparing-for-installation",
                "pending-for-input",
                "installing",
                "finalizing",
                "installed",
                "adding-hosts",
                "cancelled",
                "installing-pending-user-action",
                "unmonitored"
            })
    void aClustersState(String state) {
        assertThat(AssistedState.ofCluster(state)).isNotBlank().doesNotContainPattern(OF_THE_SERVICE);
        assertThat(AssistedState.ofCluster("ready")).isEqualTo("ready to install");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "discovering",
                "known",
                "disconnected",
                "insufficient",
                "disabled",
                "preparing-for-installation",
                "preparing-failed",
                "preparing-successful",
                "pending-for-input",
                "installing",
                "installing-in-progress",
                "installing-pending-user-action",
                "resetting-pending-user-action",
                "installed",
                "error",
                "resetting",
                "added-to-existing-cluster",
                "cancelled",
                "binding",
                "unbinding",
                "unbinding-pending-user-action",
                "known-unbound",
                "disconnected-unbound",
                "insufficient-unbound",
                "disabled-unbound",
                "discovering-unbound",
                "reclaiming",
                "reclaiming-rebooting"
            })
    void aHostsState(String state) {
        assertThat(AssistedState.ofHost(state)).isNotBlank().doesNotContainPattern(OF_THE_SERVICE);
        assertThat(AssistedState.ofHost("disconnected-unbound")).isEqualTo("disconnected");
    }

    @ParameterizedTest
    @ValueSource(strings = "some-new-state")
    void aStateThatIsNotKnown_isReadable(String state) {
        assertThat(AssistedState.ofCluster(state)).isEqualTo("some new state");
        assertThat(AssistedState.ofHost(state)).isEqualTo("some new state");
    }
}
