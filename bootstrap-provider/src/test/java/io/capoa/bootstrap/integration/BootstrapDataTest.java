package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.AuditEntry;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The way from a Machine to its bootstrap data, and the condition of every stage. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class BootstrapDataTest {

    /** Of a status, unless others wait for it. */
    private static final Duration DEBOUNCE = Duration.ofSeconds(1);

    @Test
    void aMachineGetsItsData_asTheContractSays(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");

        Secret secret = Objects.requireNonNull(scene.secret("m1-config"));
        assertThat(secret.getData()).containsOnlyKeys("value", "format");
        assertThat(decoded(secret, "value")).isEqualTo(IgnitionServer.IGNITION);
        assertThat(decoded(secret, "format")).isEqualTo("ignition");
        assertThat(secret.getType()).isEqualTo("cluster.x-k8s.io/secret");
        assertThat(secret.getMetadata().getLabels()).containsEntry("cluster.x-k8s.io/cluster-name", "demo");
        assertThat(secret.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getController()).isTrue();
            assertThat(owner.getKind()).isEqualTo("OpenshiftAssistedConfig");
        });
        var status = scene.require(OpenshiftAssistedConfig.class, "m1-config").getStatus();
        assertThat(status.initialization().dataSecretCreated()).isTrue();
        assertThat(status.dataSecretName()).isEqualTo("m1-config");
    }

    @Test
    void fromCreationToInstalled_fourWritesAndLastingStatusesSuffice_andNoneFollows(ConfigScene scene) {
        scene.ready().machine("m1", "{nodeRegistration: {kubeletExtraLabels: ['a=1', 'b=$X']}}");

        scene.withNode("m1", "agent-1");

        scene.provider.awaitRest();
        List<AuditEntry> writes = scene.provider.writes();
        assertThat(writes).allMatch(AuditEntry::succeeded);
        // InfraEnv, Secret, Agent; and the finalizer, for a config from a MachineSet.
        assertThat(writes.stream()
                        .filter(write -> !write.name().equals("placeholder-pull-secret"))
                        .filter(write -> !write.subresource().equals("status")))
                .hasSizeLessThanOrEqualTo(4);
        assertOnlyLastingStatuses(scene.provider.writes("openshiftassistedconfigs", "status"));
    }

    /**
     * How many states last, and are written, depends on how busy the machine is; at once only those are that others wait
     * for: the data exists, and the host is a node.
     */
    private static void assertOnlyLastingStatuses(List<AuditEntry> statuses) {
        List<AuditEntry> hurried = IntStream.range(1, statuses.size())
                .filter(n -> statuses.get(n)
                        .received()
                        .isBefore(statuses.get(n - 1).time().plus(DEBOUNCE)))
                .mapToObj(statuses::get)
                .toList();
        assertThat(hurried).hasSizeLessThanOrEqualTo(2);
        assertThat(statuses).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void eachStageIsWaitedForAndNamed(ConfigScene scene) {
        scene.machine("m1", "{}");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForCluster");
        scene.cluster(false);
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForClusterInfrastructure");
        assertThat(scene.message("m1", "Ready")).contains("Cluster demo");
        scene.provisioned(true);
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForAssistedInstaller");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
        scene.install("insufficient");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForInfraEnvToBeReady");
        assertThat(scene.message("m1", "Ready")).contains("InfraEnv m1");
        scene.publishBootMedia("m1");
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        scene.awaitCondition("m1", "Ready", "False/WaitingForAgent");
        var unused = scene.registerAgent("agent-1", "m1");
        scene.awaitCondition("m1", "Ready", "False/WaitingForInstallation");
        scene.agent("agent-1", "installing", "Installed", "False", "InstallationInProgress", "at it");
        scene.awaitCondition("m1", "Ready", "False/Installing");
        scene.agent("agent-1", "installed", "Installed", "True", "InstallationCompleted", "done");
        scene.awaitCondition("m1", "Ready", "True/Ready");
    }

    @Test
    void withoutAnOwner_itWaitsForOne(ConfigScene scene) {
        scene.ready();
        var unused = scene.config("m1-config", "", "  []", "{}");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForMachine");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }

    @Test
    void anOwnerOfAnotherKind_isNoMachine(ConfigScene scene) {
        scene.ready();
        var unused =
                scene.config("m1-config", "", "- {apiVersion: example.com/v1, kind: Machine, name: m1, uid: u}", "{}");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForMachine");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }

    @Test
    void aMachinePool_isRefusedWithTheRemedy(ConfigScene scene) {
        scene.ready();
        var unused = scene.config("m1-config", "", scene.machinePoolOwner(), "{}");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/UnsupportedOwner");
        assertThat(scene.message("m1", "Ready")).contains("MachinePool", "MachineDeployment");
    }

    @Test
    void withoutAnArtifactUrl_theIgnitionIsFoundByTheEventsUrl(ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.status(InfraEnv.class, "m1", Map.of("debugInfo", Map.of("state", "no URL yet")));
        scene.awaitCondition("m1", "DataSecretAvailable", "False/WaitingForInfraEnvToBeReady");

        scene.status(
                InfraEnv.class,
                "m1",
                Map.of(
                        "debugInfo",
                        Map.of(
                                "eventsURL",
                                scene.server.url() + "/api/assisted-install/v2/events?api_key=KEY&infra_env_id=b8f0")));

        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        assertThat(scene.server.requests())
                .containsExactly(
                        "/api/assisted-install/v2/infra-envs/b8f0/downloads/files?api_key=KEY&file_name=discovery.ign");
    }

    @Test
    void aHostnameIsAddedToTheData_andNothingOfItLost(ConfigScene scene) {
        scene.ready()
                .machine("m1", "{nodeRegistration: {name: $METADATA_NAME}}")
                .withData("m1");

        assertThat(decoded(Objects.requireNonNull(scene.secret("m1-config")), "value"))
                .contains("set-hostname.service", "\"unknown\":1", "\"version\":\"3.1.0\"");
    }

    @Test
    void whenThePullSecretIsMissing_reportsIt_andContinuesWhenItIsCreated(ConfigScene scene) {
        scene.ready().machine("m1", "{pullSecretRef: {name: mine}}");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/PullSecretNotFound");
        assertThat(scene.message("m1", "Ready")).contains("mine");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();

        Secret unused = scene.create(Secret.class, """
            apiVersion: v1
            kind: Secret
            metadata: {name: mine}
            stringData: {.dockerconfigjson: '{"auths":{}}'}
            """);

        scene.awaitInfraEnv("m1");
    }

    @Test
    void whenTheIgnitionIsNone_saysSoWithoutTheToken_andRecovers(ConfigScene scene) {
        scene.server.answer = "<html>busy</html>";
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.publishBootMedia("m1");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/InvalidIgnition");
        assertThat(scene.message("m1", "DataSecretAvailable"))
                .contains("InfraEnv " + scene.namespace + "/m1")
                .doesNotContain("SECRET");

        scene.server.answer = IgnitionServer.IGNITION;
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
    }

    @Test
    void whenTheServerRefuses_saysWithWhatStatus_andRecovers(ConfigScene scene) {
        scene.server.status = 503;
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.publishBootMedia("m1");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/IgnitionDownloadFailed");
        assertThat(scene.message("m1", "Ready")).contains("503").doesNotContain("SECRET");

        scene.server.status = 200;
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
    }

    @Test
    void settingsThatContradictEachOther_areRefusedBeforeAHostBoots(ConfigScene scene) {
        scene.ready().machine("m1", "{hostnamePolicy: MachineName, nodeRegistration: {name: $METADATA_NAME}}");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/InvalidNodeRegistration");
        assertThat(scene.message("m1", "Ready")).contains("hostnamePolicy", "nodeRegistration.name", "leave one");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }

    @Test
    void onceThereIsData_noPrerequisiteTakesItBack(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");

        scene.installState("error");
        scene.provisioned(false);
        scene.delete(Cluster.class, "demo");

        // A provider whose watch of the Cluster lags behind makes the InfraEnv again.
        ConfigScene.soon("the loss of both to show").untilAsserted(() -> {
            scene.delete(InfraEnv.class, "m1");
            assertThat(scene.condition("m1", "InfraEnvReady")).isEqualTo("False/WaitingForCluster");
        });
        assertThat(scene.condition("m1", "DataSecretAvailable")).isEqualTo("True/DataSecretAvailable");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }

    private static String decoded(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }
}
