package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AssistedState;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.AuditEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines that are created after the start of an installation, which cannot take further hosts. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class LateMachinesTest {

    /** The shortest time after which the provider looks again without an event. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(strings = {"preparing-for-installation", "installing", "finalizing"})
    void whileTheInstallationRuns_aWorkerWaitsAndReportsForWhat(String state, ConfigScene scene) {
        knownToBe(state, "WaitingForInstallComplete", scene).machine("m1", "{}");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForInstallComplete");
        assertThat(scene.message("m1", "Ready"))
                .contains("AgentClusterInstall demo-cp", AssistedState.ofCluster(state));
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
        assertThat(scene.secret("m1-config")).isNull();
    }

    @Test
    void aMachineOfTheControlPlane_waitsLikewise(ConfigScene scene) {
        knownToBe("installing", "WaitingForInstallComplete", scene).controlPlaneMachine("m1", "{}");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForInstallComplete");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }

    @Test
    void aMachineThatWaits_asksForNothing_andStartsAtOnce(ConfigScene scene) {
        knownToBe("finalizing", "WaitingForInstallComplete", scene).machine("m1", "{}");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForInstallComplete");
        // Returns only when there have been no requests for a while: no polling.
        scene.provider.awaitRest();

        scene.installState("adding-hosts");

        Instant completed = completed(scene);
        scene.withNode("m1", "agent-1");
        AuditEntry first = scene.provider.writes("infraenvs", "").stream()
                .filter(write -> write.name().equals("m1"))
                .findFirst()
                .orElseThrow();
        assertThat(Duration.between(completed, first.received())).isLessThan(AT_ONCE);
    }

    /** A cluster whose state the provider has seen, as another Machine shows. */
    private static ConfigScene knownToBe(String state, String reason, ConfigScene scene) {
        scene.cluster(true).install(state).machine("witness", "{}");
        scene.awaitCondition("witness", "DataSecretAvailable", "False/" + reason);
        return scene;
    }

    /** Time of the state change at the API server. */
    private static Instant completed(ConfigScene scene) {
        return scene.cluster.auditLog().orElseThrow().since(scene.provider.begin(), scene.namespace).stream()
                .filter(entry -> entry.namespace().equals(scene.namespace)
                        && entry.resource().equals("agentclusterinstalls")
                        && entry.subresource().equals("status"))
                .toList()
                .getLast()
                .time();
    }

    @ParameterizedTest
    @ValueSource(strings = {"adding-hosts", "insufficient", "ready", "pending-for-input"})
    void whileTheClusterTakesHosts_aMachineIsBootedAtOnce(String state, ConfigScene scene) {
        scene.cluster(true).install(state).machine("m1", "{}");

        scene.withAgent("m1", "agent-1");
    }

    @Test
    void aHostThatTookPartFromTheBeginning_isNotHeldUpByTheInstallation(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");

        scene.installState("installing");
        var unused = scene.registerAgent("late", "m1");

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        assertThat(scene.condition("m1", "DataSecretAvailable")).isEqualTo("True/DataSecretAvailable");
    }

    /** assisted-service would reject the host, and its agent would not retry. */
    @Test
    void aMachineThatHasAnInfraEnvAndNoHost_isBootedWhenTheInstallationIsOver(ConfigScene scene) {
        scene.ready().machine("m1", "{}").liveIsoMachine("m2", "{}");
        scene.awaitInfraEnv("m1");
        scene.awaitInfraEnv("m2");
        scene.installState("installing");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForInstallComplete");

        scene.publishBootMedia("m1");
        scene.status(InfraEnv.class, "m2", Map.of("isoDownloadURL", "http://images/iso"));

        scene.provider.awaitRest();
        for (String machine : List.of("m1", "m2")) {
            assertThat(scene.condition(machine, "DataSecretAvailable")).isEqualTo("False/WaitingForInstallComplete");
            assertThat(scene.message(machine, "Ready")).contains("AgentClusterInstall demo-cp", "installing");
            assertThat(scene.secret(machine + "-config")).isNull();
        }
        assertThat(scene.provider.writes("metal3machines", "")).isEmpty();
        assertThat(scene.server.requests()).isEmpty();

        scene.installed();

        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        scene.awaitCondition("m2", "DataSecretAvailable", "True/DataSecretAvailable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "cancelled"})
    void whenTheClusterFailedToInstall_aMachineSaysSo(String state, ConfigScene scene) {
        knownToBe(state, "InstallationFailed", scene).machine("m1", "{}");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/InstallationFailed");
        assertThat(scene.message("m1", "Ready"))
                .contains("AgentClusterInstall demo-cp", AssistedState.ofCluster(state));
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }

    @Test
    void anotherInstallationAfterAFailedOne_isTakenUp(ConfigScene scene) {
        scene.cluster(true).install("error").machine("m1", "{}");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/InstallationFailed");
        scene.delete(AgentClusterInstall.class, "demo-cp");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForAssistedInstaller");

        var unused = scene.create(AgentClusterInstall.class, ConfigSamples.INSTALL);

        scene.awaitInfraEnv("m1");
        assertThat(Fields.string(scene.require(InfraEnv.class, "m1"), "spec", "clusterRef", "name"))
                .isEqualTo("demo-cp");
    }
}
