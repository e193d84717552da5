package io.capoa.lab.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
@SuppressWarnings("NullAway.Init")
class BootstrapProviderTest {

    private static TestCluster cluster;
    private static BootstrapProcess process;
    private Scene scene;

    @BeforeAll
    static void start(TestCluster shared) {
        cluster = shared;
        process = BootstrapProcess.start(shared);
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    @BeforeEach
    void newScene() {
        scene = new Scene(cluster.admin());
    }

    @AfterEach
    void closeScene() {
        scene.close();
    }

    @Test
    void aMachineGetsInfraEnvDataAndApproval_withSixWritesAtMost_andNoneAfterwards() {
        AuditLog log = cluster.auditLog().orElseThrow();
        AuditLog.Mark begin = log.mark();
        scene.cluster(true)
                .install("insufficient")
                .machine("m1", "{nodeRegistration: {kubeletExtraLabels: ['a=1', 'b=$X']}}");

        await("InfraEnv").until(() -> scene.find(InfraEnv.class, "m1") != null);
        scene.publishBootMedia("m1");
        await("latch").until(() -> scene.condition("m1", "DataSecretAvailable").startsWith("True"));
        Secret secret = Objects.requireNonNull(scene.secret("m1-config"));
        assertThat(secret.getData()).containsOnlyKeys("value", "format");
        assertThat(decoded(secret, "value")).isEqualTo(Scene.IGNITION);
        assertThat(decoded(secret, "format")).isEqualTo("ignition");
        assertThat(secret.getType()).isEqualTo("cluster.x-k8s.io/secret");
        assertThat(secret.getMetadata().getLabels()).containsEntry("cluster.x-k8s.io/cluster-name", "demo");
        assertThat(secret.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getController()).isTrue();
            assertThat(owner.getKind()).isEqualTo("OpenshiftAssistedConfig");
        });
        assertThat(scene.secret("placeholder-pull-secret")).isNotNull();

        scene.registerAgent("agent-1", "m1");
        await("approval").until(() -> approved("agent-1"));
        scene.status(Agent.class, "agent-1", agentInstalled());
        await("ready").until(() -> scene.condition("m1", "Ready").equals("True/Ready"));

        Agent agent = Objects.requireNonNull(scene.find(Agent.class, "agent-1"));
        assertThat(Fields.string(agent, "spec", "role")).isEqualTo("worker");
        assertThat(Fields.string(agent, "spec", "ignitionConfigOverrides")).contains("kubelet-customlabels.service");
        List<AuditEntry> writes = writes(log, begin);
        assertThat(writes).allMatch(AuditEntry::succeeded);
        // InfraEnv, secret, Agent, three statuses; the finalizer, for a config that a MachineSet made.
        assertThat(writes.stream().filter(write -> !write.name().equals("placeholder-pull-secret")))
                .hasSizeLessThanOrEqualTo(7);

        AuditLog.Mark settled = log.mark();
        await().during(Duration.ofMillis(700))
                .atMost(Duration.ofSeconds(3))
                .until(() -> writes(log, settled).isEmpty());
    }

    @Test
    void eachStageIsWaitedForAndNamed() {
        scene.machine("m1", "{}");
        awaitCondition("DataSecretAvailable", "False/WaitingForCluster");
        scene.cluster(false);
        awaitCondition("DataSecretAvailable", "False/WaitingForClusterInfrastructure");
        scene.status(Cluster.class, "demo", Map.of("initialization", Map.of("infrastructureProvisioned", true)));
        awaitCondition("DataSecretAvailable", "False/WaitingForAssistedInstaller");
        scene.install("installing");
        awaitCondition("DataSecretAvailable", "False/WaitingForInstallComplete");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
        scene.installState("adding-hosts");
        awaitCondition("DataSecretAvailable", "False/WaitingForInfraEnvToBeReady");
        scene.publishBootMedia("m1");
        awaitCondition("DataSecretAvailable", "True/DataSecretAvailable");
        awaitCondition("Ready", "False/WaitingForAgent");
        scene.installState("installing");
        scene.registerAgent("late", "m1");
        awaitCondition("AgentApproved", "True/AgentApproved");
        awaitCondition("DataSecretAvailable", "True/DataSecretAvailable");
    }

    @Test
    void whenThePullSecretIsMissing_saysSo_andGoesOnWhenItComes() {
        scene.cluster(true).install("insufficient").machine("m1", "{pullSecretRef: {name: mine}}");
        awaitCondition("DataSecretAvailable", "False/PullSecretNotFound");
        assertThat(scene.message("m1", "Ready")).contains("mine");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();

        scene.create(Secret.class, """
                apiVersion: v1
                kind: Secret
                metadata: {name: mine}
                stringData: {.dockerconfigjson: '{"auths":{}}'}
                """);

        await("InfraEnv").until(() -> scene.find(InfraEnv.class, "m1") != null);
    }

    @Test
    void whenTheIgnitionIsNotJson_saysSoWithoutTheToken_andRecovers() {
        scene.ignition = "<html>busy</html>";
        scene.cluster(true).install("insufficient").machine("m1", "{}");
        await("InfraEnv").until(() -> scene.find(InfraEnv.class, "m1") != null);
        scene.publishBootMedia("m1");

        awaitCondition("DataSecretAvailable", "False/InvalidIgnition");
        assertThat(scene.message("m1", "DataSecretAvailable"))
                .contains("InfraEnv " + scene.namespace + "/m1")
                .doesNotContain("SECRET");

        scene.ignition = Scene.IGNITION;
        awaitCondition("DataSecretAvailable", "True/DataSecretAvailable");
    }

    @Test
    void ofTwoHostsOnOneInfraEnv_oneIsApproved_andStaysSo() {
        scene.cluster(true).install("insufficient").machine("m1", "{}");
        await("InfraEnv").until(() -> scene.find(InfraEnv.class, "m1") != null);
        scene.registerAgent("b-first", "m1");
        await("approval").until(() -> approved("b-first"));
        scene.registerAgent("a-second", "m1");

        awaitCondition("AgentApproved", "True/DuplicateAgent");
        assertThat(approved("b-first")).isTrue();
        assertThat(approved("a-second")).isFalse();

        scene.delete(Agent.class, "b-first");
        await("the other").until(() -> approved("a-second"));
    }

    @Test
    void foreignObjectsAreLeftAlone() {
        scene.cluster(true).install("insufficient");
        scene.create(InfraEnv.class, """
                apiVersion: agent-install.openshift.io/v1beta1
                kind: InfraEnv
                metadata: {name: m1}
                spec: {pullSecretRef: {name: theirs}}
                """);
        scene.registerAgent("theirs", "m1");
        scene.machine("m1", "{}");

        awaitCondition("InfraEnvReady", "False/InfraEnvConflict");
        assertThat(Fields.string(
                        Objects.requireNonNull(scene.find(InfraEnv.class, "m1")), "spec", "pullSecretRef", "name"))
                .isEqualTo("theirs");
        assertThat(approved("theirs")).isFalse();
    }

    @Test
    void aPausedClusterIsLeftAlone_untilThePauseEnds() {
        scene.cluster(true).install("insufficient");
        pause(true);
        scene.machine("m1", "{}");
        awaitCondition("Paused", "True/Paused");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();

        pause(false);
        await("InfraEnv").until(() -> scene.find(InfraEnv.class, "m1") != null);
        awaitCondition("Paused", "False/NotPaused");
    }

    @Test
    void deletionTakesTheInfraEnvAlong_alsoWhenMachineAndClusterAreGoneFirst() {
        scene.cluster(true).install("insufficient").machine("m1", "{}");
        await("InfraEnv").until(() -> scene.find(InfraEnv.class, "m1") != null);
        scene.delete(Cluster.class, "demo");
        scene.delete(Machine.class, "m1");
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        await("config gone").until(() -> scene.find(OpenshiftAssistedConfig.class, "m1-config") == null);
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }

    @Test
    void deletionWaitsForTheInfraEnv_andSaysSo() {
        scene.cluster(true).install("insufficient").machine("m1", "{}");
        await("InfraEnv").until(() -> scene.find(InfraEnv.class, "m1") != null);
        finalizers(List.of("infraenv.agent-install.openshift.io/ai-deprovision"));
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        awaitCondition("Ready", "False/Deleting");
        assertThat(scene.message("m1", "Ready")).contains("InfraEnv m1");

        finalizers(List.of());
        await("config gone").until(() -> scene.find(OpenshiftAssistedConfig.class, "m1-config") == null);
    }

    private void awaitCondition(String type, String value) {
        await(type + " " + value)
                .untilAsserted(() -> assertThat(scene.condition("m1", type)).isEqualTo(value));
    }

    private boolean approved(String agent) {
        Agent found = scene.find(Agent.class, agent);
        return found != null && Fields.isTrue(found, "spec", "approved");
    }

    private void pause(boolean paused) {
        Cluster unused = cluster.admin()
                .resources(Cluster.class)
                .inNamespace(scene.namespace)
                .withName("demo")
                .edit(demo -> {
                    Fields.map(demo, "spec").put("paused", paused);
                    return demo;
                });
    }

    private void finalizers(List<String> finalizers) {
        InfraEnv unused = cluster.admin()
                .resources(InfraEnv.class)
                .inNamespace(scene.namespace)
                .withName("m1")
                .edit(infraEnv -> {
                    infraEnv.getMetadata().setFinalizers(finalizers);
                    return infraEnv;
                });
    }

    private List<AuditEntry> writes(AuditLog log, AuditLog.Mark since) {
        return log.since(since).stream()
                .filter(entry -> entry.user().contains(KnownUsers.BOOTSTRAP_PROVIDER) && entry.isWrite())
                .filter(entry -> entry.namespace().equals(scene.namespace))
                .toList();
    }

    private static Map<String, Object> agentInstalled() {
        return Map.of(
                "conditions",
                List.of(Map.of(
                        "type", "Installed",
                        "status", "True",
                        "reason", "InstallationCompleted",
                        "message", "done")),
                "debugInfo",
                Map.of("state", "installed"));
    }

    private static String decoded(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }
}
