package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.observe.InstallObjects;
import io.capoa.controlplane.observe.MachineObjects;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
        return Objects.read(AgentClusterInstall.class, """
            metadata: {name: cp}
            status:
              debugInfo: {state: %s}
              conditions: [{type: SpecSynced, status: "False", reason: %s, message: Malformed SSH key}]
            """.formatted(state, reason));
    }

    private static ControlPlaneObservation seen(
            @Nullable AgentClusterInstall install, OpenshiftAssistedConfig... configs) {
        ControlPlaneObservation nothing = ControlPlaneObservations.of(Objects.identity(), null, null);
        return new ControlPlaneObservation(
                nothing.identity(),
                nothing.cluster(),
                new InstallObjects(
                        nothing.deployment(),
                        install,
                        nothing.imageSetName(),
                        nothing.imageSet(),
                        nothing.kubeconfig()),
                new MachineObjects(nothing.machines(), nothing.infrastructure(), List.of(configs), nothing.workers()));
    }
}
