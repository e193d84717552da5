package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What assisted-service refuses before an installation, in the status of the control plane. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class RefusedInstallTest {

    @Test
    void whatTheServiceRejects_isReported(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            scene.peers.status(scene.peers.install(), """
                {"status":{"conditions":[{"type":"SpecSynced","status":"False","reason":"InputError",
                  "message":"apiVIP 192.0.2.10 is already in use"}]}}
                """);
            within(() -> scene.reason("InstallSucceeding").equals("InstallSpecRejected"));
            assertThat(scene.message("InstallSucceeding")).contains("192.0.2.10 is already in use");
            assertThat(scene.reason("Available")).isEqualTo("InstallSpecRejected");
            assertThat(scene.message("Available")).contains("AgentClusterInstall one", "192.0.2.10 is already in use");
        }
    }

    @Test
    void aHostWhoseBootMediaTheServiceRefuses_isReportedInTheControlPlane(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            var configs =
                    scene.peers.client.resources(OpenshiftAssistedConfig.class).inNamespace(scene.peers.namespace);
            within(() -> !configs.list().getItems().isEmpty());
            OpenshiftAssistedConfig config = configs.list().getItems().getFirst();
            scene.peers.status(config, """
                {"status":{"conditions":[{"type":"InfraEnvReady","status":"False","reason":"ImageCreationFailed",
                  "message":"additionalTrustBundle is no certificate","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}
                """);
            within(() -> scene.reason("Available").equals("ImageCreationFailed"));
            assertThat(scene.message("Available"))
                    .contains(config.getMetadata().getName(), "additionalTrustBundle is no certificate");
        }
    }
}
