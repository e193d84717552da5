package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the conditions of a failed installation say. */
class InstallFailureTest {

    @Test
    void theMessage_hasTheServicesMessage_theFailingChecks_andTheNextStep() {
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
                .startsWith("The installation failed: broken; api-vips-valid: taken. ")
                .contains(Annotations.RETRY_INSTALL)
                .doesNotContain("dns-domain", "masters");
    }

    @Test
    void onlyTheHostThatFailed_isNamed() {
        AgentClusterInstall install = Objects.read(AgentClusterInstall.class, """
                metadata: {name: cp}
                status: {conditions: [{type: Failed, status: 'True', message: cluster has hosts in error}]}
                """);
        ControlPlaneObservation seen = seen(
                Objects.identity(),
                install,
                config("a", "ClusterInstallationFailed", "Host h0: the installation of its cluster has failed"),
                config("b", "InstallationFailed", "Host h1 failed at stage Writing image to disk"));

        assertThat(InstallFailure.message(seen))
                .isEqualTo("The installation failed: cluster has hosts in error;"
                        + " Machine m-b: Host h1 failed at stage Writing image to disk."
                        + " Logs, once collected: status.debugInfo.logsURL of AgentClusterInstall cp."
                        + " To try again, correct the cause and run: kubectl annotate oacp -n ns cp "
                        + Annotations.RETRY_INSTALL + "=$(date +%s) --overwrite");
    }

    @Test
    void ofManyFailedHosts_threeAreDescribed_inOneLine() {
        AgentClusterInstall install = Objects.read(AgentClusterInstall.class, """
                metadata: {name: cp}
                status: {conditions: [{type: Failed, status: 'True', message: "The installation failed: cluster has hosts in error"}]}
                """);

        assertThat(InstallFailure.message(seen(
                        Objects.identity(),
                        install,
                        config("a", "InstallationFailed", "Host h0 failed\\n * at once."),
                        config("b", "InstallationFailed", "Host h1 failed"),
                        config("c", "InstallationFailed", "Host h2 failed"),
                        config("d", "InstallationFailed", "Host h3 failed"),
                        config("e", "InstallationFailed", "Host h4 failed"))))
                .startsWith("The installation failed: cluster has hosts in error; Machine m-a: Host h0 failed at once;"
                        + " Machine m-b: Host h1 failed; Machine m-c: Host h2 failed; 2 more hosts failed. Logs, ")
                .doesNotContain("\n");
    }

    @Test
    void theUrlOfTheLogs_whichHasAToken_isNotQuoted_andChangesNothing() {
        String failed = """
                metadata: {name: cp}
                status:
                  debugInfo: {state: error%s}
                  conditions: [{type: Failed, status: 'True', message: cluster has hosts in error}]
                """;
        AgentClusterInstall before = Objects.read(AgentClusterInstall.class, failed.formatted(""));
        AgentClusterInstall after = Objects.read(
                AgentClusterInstall.class,
                failed.formatted(", logsURL: 'https://assisted/v2/clusters/1/logs?api_key=TOKEN'"));

        assertThat(InstallFailure.message(seen(Objects.identity(), after)))
                .isEqualTo(InstallFailure.message(seen(Objects.identity(), before)))
                .contains("logsURL of AgentClusterInstall cp")
                .doesNotContain("TOKEN");
    }

    private static OpenshiftAssistedConfig config(String name, String reason, String message) {
        return Objects.read(OpenshiftAssistedConfig.class, """
                metadata: {name: %1$s, ownerReferences: [{kind: Machine, name: m-%1$s}]}
                status:
                  conditions:
                  - {type: Installed, status: 'False', reason: %2$s, message: "%3$s", lastTransitionTime: "2026-01-01T00:00:00Z"}
                """.formatted(name, reason, message));
    }

    private static ControlPlaneObservation seen(
            ControlPlaneIdentity identity, AgentClusterInstall install, OpenshiftAssistedConfig... configs) {
        return ControlPlaneObservations.of(identity, null, install, null, List.of(), List.of(configs));
    }
}
