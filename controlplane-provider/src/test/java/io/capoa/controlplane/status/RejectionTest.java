package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages for objects that assisted-service rejects. */
class RejectionTest {

    @Test
    void aRejectedInstall_takesPrecedenceOverRejectedHosts() {
        assertThat(Rejection.of(seen(install("insufficient", "InputError"), host("b"))))
                .hasValueSatisfying(rejection -> {
                    assertThat(rejection.reason()).isEqualTo("InstallSpecRejected");
                    assertThat(rejection.message())
                            .contains("AgentClusterInstall cp", "Malformed SSH key", "correct spec.config");
                });
    }

    /** In the words of assisted-service, for which this is an error of the user's, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "failed to get release image by URL quay.io/r@sha256:1 during cluster registration: command 'oc adm release"
                        + " info' exited with non-zero exit code 1",
                "Openshift version 4.20.0 for CPU architecture x86_64 is not supported: The requested release image for"
                        + " version (4.20.0) and CPU architecture (x86_64) isn't specified in release images list",
                "No OS images are available for version 4.20.0 and architecture x86_64"
            })
    void aReleaseThatTheServiceCouldNotRead_isNoMistakeInTheSpec(String message) {
        assertThat(Rejection.of(seen(install("insufficient", "InputError", message))))
                .hasValueSatisfying(rejection -> {
                    assertThat(rejection.reason()).isEqualTo("InstallSpecRejected");
                    assertThat(rejection.message())
                            .contains(message, "reaches the registry of the release", "restart assisted-service")
                            .doesNotContain("spec.config");
                });
    }

    @Test
    void rejectedHosts_areCounted_andTheFirstIsNamedWithItsMessage() {
        assertThat(Rejection.of(seen(install("insufficient", "BackendError"), host("b"), host("a"))))
                .hasValueSatisfying(rejection -> {
                    assertThat(rejection.reason()).isEqualTo("ImageCreationFailed");
                    assertThat(rejection.message())
                            .contains("OpenshiftAssistedConfig a and 1 more", "InfraEnv a: bad key");
                });
    }

    @Test
    void onceTheInstallationHasStarted_aRejectedHostDoesNotBlockIt() {
        assertThat(Rejection.of(seen(install("installing", "SyncOK"), host("a"))))
                .isEmpty();
        assertThat(Rejection.of(seen(null))).isEmpty();
    }

    private static OpenshiftAssistedConfig host(String name) {
        return Objects.read(OpenshiftAssistedConfig.class, """
            metadata: {name: %1$s}
            status:
              conditions:
              - {type: InfraEnvReady, status: "False", reason: ImageCreationFailed, message: "InfraEnv %1$s: bad key"}
            """.formatted(name));
    }

    private static AgentClusterInstall install(String state, String reason) {
        return install(state, reason, "Malformed SSH key");
    }

    private static AgentClusterInstall install(String state, String reason, String message) {
        return Objects.read(AgentClusterInstall.class, """
            metadata: {name: cp}
            status:
              debugInfo: {state: %s}
              conditions: [{type: SpecSynced, status: "False", reason: %s, message: "%s"}]
            """.formatted(state, reason, message));
    }

    private static ControlPlaneObservation seen(
            @Nullable AgentClusterInstall install, OpenshiftAssistedConfig... configs) {
        return ControlPlaneObservations.of(Objects.identity(), null, install, null, List.of(), List.of(configs));
    }
}
