package io.capoa.controlplane.steps.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.observe.RetryRequest;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a failed installation is retried, and which Machines are part of it. */
class RetryTest {

    @Test
    void aFailedInstallation_isRetriedOnceForEachValue() {
        ControlPlaneIdentity asking = Objects.identity("{" + Annotations.RETRY_INSTALL + ": '2'}", "");

        assertThat(seen(asking, install("error", null)).retryDue()).isTrue();
        assertThat(seen(asking, install("error", "1")).retryDue()).isTrue();
        assertThat(seen(asking, install("error", "2")).retryDue()).isFalse();
        assertThat(seen(asking, install("installing", "1")).retryDue()).isFalse();
        assertThat(seen(Objects.identity(), install("error", null)).retryDue()).isFalse();
    }

    @Test
    void aNewInstall_recordsTheRequestedValue_anExistingOneKeepsItsOwn() {
        ControlPlaneIdentity asking = Objects.identity("{" + Annotations.RETRY_INSTALL + ": '2'}", "");
        AgentClusterInstall made = install("insufficient", null);
        RetryRequest.mark(asking, null, made);
        assertThat(made.getMetadata().getAnnotations()).containsEntry(Annotations.RETRY_INSTALL, "2");
        AgentClusterInstall kept = install("error", null);
        RetryRequest.mark(asking, install("error", "1"), kept);
        assertThat(kept.getMetadata().getAnnotations()).containsEntry(Annotations.RETRY_INSTALL, "1");
    }

    @Test
    void workersOfOtherBootstrapProviders_areNotReplaced() {
        assertThat(RetryStep.isInstalledByAssistedService(
                        worker("bootstrap.cluster.x-k8s.io", "OpenshiftAssistedConfig")))
                .isTrue();
        assertThat(RetryStep.isInstalledByAssistedService(worker("bootstrap.cluster.x-k8s.io", "KubeadmConfig")))
                .isFalse();
        assertThat(RetryStep.isInstalledByAssistedService(worker("example.com", "OpenshiftAssistedConfig")))
                .isFalse();
    }

    @Test
    void anAnswerOfTheApiServer_countsForItsInstallationOnly() {
        ControlPlaneIdentity asking = Objects.identity("{" + Annotations.RETRY_INSTALL + ": '2'}", "");
        asking.controlPlane().setStatus(answered());
        assertThat(seen(asking, install("error", "2")).initialized()).isTrue();
        assertThat(seen(asking, install("error", "1")).initialized()).isFalse();
        assertThat(seen(asking, null).initialized()).isFalse();
        assertThat(seen(asking, install("insufficient", "2")).initialized()).isFalse();
    }

    private static OpenshiftAssistedControlPlaneStatus answered() {
        return Objects.status("initialization: {controlPlaneInitialized: true}");
    }

    private static Machine worker(String group, String kind) {
        return Objects.read(
                Machine.class,
                "metadata: {name: w}\nspec: {bootstrap: {configRef: {apiGroup: %s, kind: %s, name: w}}}"
                        .formatted(group, kind));
    }

    private static ControlPlaneObservation seen(
            ControlPlaneIdentity identity, @Nullable AgentClusterInstall install, OpenshiftAssistedConfig... configs) {
        return ControlPlaneObservations.of(identity, null, install, null, List.of(), List.of(configs));
    }

    private static AgentClusterInstall install(String state, @Nullable String madeUnder) {
        AgentClusterInstall install = Objects.read(AgentClusterInstall.class, """
                metadata: {name: cp}
                status: {debugInfo: {state: %s, stateInfo: broken}}
                """.formatted(state));
        if (madeUnder != null) {
            install.getMetadata().setAnnotations(Map.of(Annotations.RETRY_INSTALL, madeUnder));
        }
        return install;
    }
}
