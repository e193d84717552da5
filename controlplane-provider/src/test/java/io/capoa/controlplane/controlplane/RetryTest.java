package io.capoa.controlplane.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.Initialization;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.Workers;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a failed installation begins anew. */
class RetryTest {

    @Test
    void aFailedInstallation_isRetriedOnceForEachValue() {
        ControlPlaneIdentity asking = Objects.identity("{" + Annotations.RETRY_INSTALL + ": '2'}", "");

        assertThat(RetryStep.isDue(seen(asking, install("error", null)))).isTrue();
        assertThat(RetryStep.isDue(seen(asking, install("error", "1")))).isTrue();
        assertThat(RetryStep.isDue(seen(asking, install("error", "2")))).isFalse();
        assertThat(RetryStep.isDue(seen(asking, install("installing", "1")))).isFalse();
        assertThat(RetryStep.isDue(seen(Objects.identity(), install("error", null))))
                .isFalse();
    }

    @Test
    void aNewInstallCarriesTheValueThatItIsMadeUnder_anExistingOneKeepsItsOwn() {
        ControlPlaneIdentity asking = Objects.identity("{" + Annotations.RETRY_INSTALL + ": '2'}", "");
        AgentClusterInstall made = install("insufficient", null);
        RetryStep.mark(asking, null, made);
        assertThat(made.getMetadata().getAnnotations()).containsEntry(Annotations.RETRY_INSTALL, "2");
        AgentClusterInstall kept = install("error", null);
        RetryStep.mark(asking, install("error", "1"), kept);
        assertThat(kept.getMetadata().getAnnotations()).containsEntry(Annotations.RETRY_INSTALL, "1");
    }

    @Test
    void theMessageHasTheServicesWords_theFailingChecks_andWhatToDo() {
        AgentClusterInstall install = Objects.read(AgentClusterInstall.class, """
                metadata: {name: cp}
                status:
                  debugInfo: {state: error, stateInfo: broken}
                  validationsInfo:
                    network:
                    - {id: api-vips-valid, status: failure, message: taken}
                    - {id: dns-domain-defined, status: success, message: fine}
                    hosts-data:
                    - {id: sufficient-masters-count, status: failure, message: few}
                """);
        assertThat(InstallFailure.message(seen(Objects.identity(), install)))
                .startsWith("broken\n* api-vips-valid: taken\n")
                .contains(Annotations.RETRY_INSTALL)
                .doesNotContain("dns-domain", "masters");
    }

    @Test
    void onlyTheHostOnWhichItFailed_isNamed() {
        AgentClusterInstall install = Objects.read(AgentClusterInstall.class, """
                metadata: {name: cp}
                status: {conditions: [{type: Failed, status: 'True', message: cluster has hosts in error}]}
                """);
        ControlPlaneObservation seen = seen(
                Objects.identity(),
                install,
                config("a", "ClusterInstallationFailed", "Host h0: the installation of its cluster has failed"),
                config("b", "InstallationFailed", "Host h1: The installation has failed: disk broke"));

        assertThat(InstallFailure.message(seen))
                .isEqualTo("cluster has hosts in error"
                        + "\n* OpenshiftAssistedConfig b: Host h1: The installation has failed: disk broke"
                        + "\nTo try again, correct the cause and set annotation " + Annotations.RETRY_INSTALL
                        + " to a new value");
    }

    private static OpenshiftAssistedConfig config(String name, String reason, String message) {
        return Objects.read(OpenshiftAssistedConfig.class, """
                metadata: {name: %s}
                status:
                  conditions:
                  - {type: Installed, status: 'False', reason: %s, message: '%s', lastTransitionTime: "2026-01-01T00:00:00Z"}
                """.formatted(name, reason, message));
    }

    @Test
    void workersOfOtherBootstrapProviders_areNoPartOfIt() {
        assertThat(RetryStep.isInstalledByAssistedService(
                        worker("bootstrap.cluster.x-k8s.io", "OpenshiftAssistedConfig")))
                .isTrue();
        assertThat(RetryStep.isInstalledByAssistedService(worker("bootstrap.cluster.x-k8s.io", "KubeadmConfig")))
                .isFalse();
        assertThat(RetryStep.isInstalledByAssistedService(worker("example.com", "OpenshiftAssistedConfig")))
                .isFalse();
    }

    @Test
    void anApiServerThatAnswered_countsForItsInstallationAlone() {
        ControlPlaneIdentity asking = Objects.identity("{" + Annotations.RETRY_INSTALL + ": '2'}", "");
        asking.controlPlane().setStatus(answered());
        assertThat(seen(asking, install("error", "2")).initialized()).isTrue();
        assertThat(seen(asking, install("error", "1")).initialized()).isFalse();
        assertThat(seen(asking, null).initialized()).isFalse();
        assertThat(seen(asking, install("insufficient", "2")).initialized()).isFalse();
    }

    private static OpenshiftAssistedControlPlaneStatus answered() {
        return new OpenshiftAssistedControlPlaneStatus(
                new Initialization(true), null, null, null, null, null, null, null, null, null, List.of());
    }

    private static Machine worker(String group, String kind) {
        return Objects.read(
                Machine.class,
                "metadata: {name: w}\nspec: {bootstrap: {configRef: {apiGroup: %s, kind: %s, name: w}}}"
                        .formatted(group, kind));
    }

    private static ControlPlaneObservation seen(
            ControlPlaneIdentity identity, @Nullable AgentClusterInstall install, OpenshiftAssistedConfig... configs) {
        return new ControlPlaneObservation(
                identity,
                null,
                null,
                install,
                ImageSet.name(identity),
                null,
                List.of(),
                Map.of(),
                List.of(configs),
                Workers.none(),
                null);
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
