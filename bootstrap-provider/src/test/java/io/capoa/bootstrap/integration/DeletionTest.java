package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Deletion of a config with its dependents, in any order; the finalizer never blocks forever. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class DeletionTest {

    private static final String SERVICE_FINALIZER = "infraenv.agent-install.openshift.io/ai-deprovision";
    private static final String AGENT_FINALIZER = "agent.agent-install.openshift.io/ai-deprovision";

    /** Stage of the Machine at its deletion. */
    enum Stage {
        NOTHING,
        DATA,
        AGENT,
        NODE
    }

    @ParameterizedTest
    @EnumSource
    void atEveryStage_infraEnvSecretAndConfigAreDeleted(Stage stage, ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        switch (stage) {
            case NOTHING -> {}
            case DATA -> scene.withData("m1");
            case AGENT -> scene.withAgent("m1", "agent-1");
            case NODE -> scene.withNode("m1", "agent-1");
        }

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        gone(scene);
        // Agents are deleted with their InfraEnv.
        scene.awaitGone(Agent.class, "agent-1");
        // Its token must not outlive the Machine.
        scene.awaitGone(Secret.class, "m1-config");
    }

    @Test
    void whenMachineAndClusterWentFirst(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        scene.delete(Cluster.class, "demo");
        scene.delete(ClusterDeployment.class, "demo-cp");
        scene.delete(AgentClusterInstall.class, "demo-cp");
        scene.delete(Machine.class, "m1");
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        gone(scene);
    }

    @Test
    void whenTheMachineIsDeleted_garbageCollectionDeletesTheConfig(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");

        scene.delete(Machine.class, "m1");

        gone(scene);
        scene.awaitGone(Secret.class, "m1-config");
    }

    @Test
    void beforeAnythingWasMade(ConfigScene scene) {
        scene.machine("m1", "{}").awaitCondition("m1", "Ready", "False/WaitingForCluster");

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        gone(scene);
    }

    @Test
    void withoutAnOwner(ConfigScene scene) {
        var unused = scene.config("m1-config", "", "  []", "{}");
        scene.awaitCondition("m1", "Ready", "False/WaitingForMachine");

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        gone(scene);
    }

    @Test
    void withItsNamespace(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");

        var unused =
                scene.cluster.admin().namespaces().withName(scene.namespace).delete();

        gone(scene);
    }

    @Test
    void anInfraEnvThatTheServiceHolds_isWaitedForAndNamed(ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.finalizers(InfraEnv.class, "m1", SERVICE_FINALIZER);
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        scene.awaitCondition("m1", "Ready", "False/Deleting");
        assertThat(scene.message("m1", "Ready")).contains("InfraEnv m1");

        scene.finalizers(InfraEnv.class, "m1");
        gone(scene);
    }

    @Test
    void anInfraEnvThatTheServiceHolds_isRemembered_alsoWhenMachineAndClusterAreGone(ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.finalizers(InfraEnv.class, "m1", SERVICE_FINALIZER);
        scene.delete(Cluster.class, "demo");
        scene.delete(Machine.class, "m1");
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");
        scene.awaitCondition("m1", "Ready", "False/Deleting");

        scene.finalizers(InfraEnv.class, "m1");
        gone(scene);
    }

    @Test
    void anAgentThatTheServiceHolds_isWaitedForAndNamed(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.finalizers(Agent.class, "agent-1", "agent.agent-install.openshift.io/ai-deprovision");
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");
        scene.delete(Agent.class, "agent-1");

        scene.awaitCondition("m1", "Ready", "False/Deleting");
        ConfigScene.soon("the Agent named")
                .untilAsserted(() -> assertThat(scene.message("m1", "Ready")).contains("Agent agent-1"));

        scene.finalizers(Agent.class, "agent-1");
        gone(scene);
    }

    @Test
    void agentsAreDeletedBeforeTheirInfraEnv_whichOlderReleasesKeepWhileAHostIsBound(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.finalizers(InfraEnv.class, "m1", SERVICE_FINALIZER);
        scene.finalizers(Agent.class, "agent-1", AGENT_FINALIZER);
        // As created by a release without this annotation, or approved by a user.
        scene.edit(Agent.class, "agent-1", agent -> agent.getMetadata().setAnnotations(Map.of()));

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        ConfigScene.soon("the Agent deleted").until(() -> isGoing(scene.require(Agent.class, "agent-1")));
        assertThat(scene.require(Agent.class, "agent-1").getMetadata().getAnnotations())
                .containsEntry("agent.agent-install.openshift.io/skip-spoke-cleanup", "true");
        ConfigScene.soon("the Agent named")
                .untilAsserted(() ->
                        assertThat(scene.message("m1", "Ready")).contains("Agent agent-1", "assisted-service runs"));
        assertThat(isGoing(scene.require(InfraEnv.class, "m1"))).isFalse();

        scene.finalizers(Agent.class, "agent-1");
        ConfigScene.soon("the InfraEnv deleted").until(() -> isGoing(scene.require(InfraEnv.class, "m1")));
        scene.finalizers(InfraEnv.class, "m1");
        gone(scene);
    }

    @Test
    void whenTheConfigHasLostItsMachine_itStillNoticesThatItsAgentsAreGone(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.finalizers(Agent.class, "agent-1", AGENT_FINALIZER);
        scene.edit(
                OpenshiftAssistedConfig.class,
                "m1-config",
                config -> config.getMetadata().setOwnerReferences(List.of()));
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");
        ConfigScene.soon("the Agent deleted").until(() -> isGoing(scene.require(Agent.class, "agent-1")));

        scene.finalizers(Agent.class, "agent-1");

        gone(scene);
    }

    /** The change of the Agent and the deletion of the config arrive on two watches, in either order. */
    @Test
    void hostsThatAreMovedInTheMomentOfTheDeletion_areLeftToTheService(ConfigScene scene) {
        scene.ready();
        List<Integer> numbers = IntStream.range(0, 8).boxed().toList();
        for (int n : numbers) {
            scene.machine("m" + n, "{}").withAgent("m" + n, "agent-" + n);
            scene.finalizers(InfraEnv.class, "m" + n, SERVICE_FINALIZER);
            scene.finalizers(Agent.class, "agent-" + n, AGENT_FINALIZER);
        }
        for (int n : numbers) {
            scene.edit(
                    Agent.class,
                    "agent-" + n,
                    agent -> Fields.map(agent, "spec")
                            .put("clusterDeploymentName", Map.of("namespace", scene.namespace, "name", "other")));
            scene.delete(OpenshiftAssistedConfig.class, "m" + n + "-config");
        }

        ConfigScene.soon("the hosts named")
                .untilAsserted(() -> assertThat(numbers)
                        .allSatisfy(n -> assertThat(scene.message("m" + n, "Ready"))
                                .contains("Agent agent-%d is bound to ClusterDeployment other".formatted(n))));
        assertThat(numbers).noneMatch(n -> isGoing(scene.require(Agent.class, "agent-" + n)));
        for (int n : numbers) {
            scene.finalizers(InfraEnv.class, "m" + n);
            scene.finalizers(Agent.class, "agent-" + n);
        }
    }

    @Test
    void aHostThatWasMovedToAnotherCluster_isLeftToTheService(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.finalizers(InfraEnv.class, "m1", SERVICE_FINALIZER);
        scene.finalizers(Agent.class, "agent-1", AGENT_FINALIZER);
        scene.edit(
                Agent.class,
                "agent-1",
                agent -> Fields.map(agent, "spec")
                        .put("clusterDeploymentName", Map.of("namespace", scene.namespace, "name", "other")));

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        ConfigScene.soon("the host named")
                .untilAsserted(() -> assertThat(scene.message("m1", "Ready"))
                        .contains("InfraEnv m1", "Agent agent-1 is bound to ClusterDeployment other"));
        assertThat(isGoing(scene.require(Agent.class, "agent-1"))).isFalse();
        scene.finalizers(InfraEnv.class, "m1");
        scene.finalizers(Agent.class, "agent-1");
        gone(scene);
    }

    @Test
    void anAgentThatIsNeverDeleted_doesNotBlockTheConfig(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        var nobodys = scene.create(Agent.class, ConfigSamples.agent("nobodys", "m1"));

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        gone(scene);
        assertThat(scene.require(Agent.class, "nobodys").getMetadata().getUid())
                .isEqualTo(nobodys.getMetadata().getUid());
    }

    @Test
    void aMachineThatIsBeingDeleted_getsNothing(ConfigScene scene) {
        scene.cluster(true).machine("m1", "{}");
        scene.finalizers(Machine.class, "m1", "machine.cluster.x-k8s.io");
        scene.delete(Machine.class, "m1");
        scene.awaitCondition("m1", "Ready", "False/Deleting");

        scene.install("insufficient");

        assertThat(scene.message("m1", "Ready")).contains("Machine m1");
        scene.finalizers(Machine.class, "m1");
        gone(scene);
        assertThat(scene.provider.writes()).noneMatch(write -> write.resource().equals("infraenvs"));
    }

    @Test
    void whenTheAgentWentFirst(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.delete(Agent.class, "agent-1");
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        gone(scene);
    }

    @Test
    void whenTheInfraEnvWentFirst(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        scene.delete(InfraEnv.class, "m1");
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        gone(scene);
    }

    @Test
    void theConfigOfAControlPlane_staysAsLongAsItsMachine(ConfigScene scene) {
        scene.ready().controlPlaneMachine("m1", "{}").withData("m1");
        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        scene.awaitCondition("m1", "Ready", "False/Deleting");
        assertThat(scene.message("m1", "Ready")).contains("control plane Machine m1");
        assertThat(scene.find(InfraEnv.class, "m1")).isNotNull();

        scene.delete(Machine.class, "m1");
        gone(scene);
    }

    @Test
    void anInfraEnvOfAnother_stays(ConfigScene scene) {
        scene.ready();
        var unused = scene.create(InfraEnv.class, ConfigSamples.foreignInfraEnv("m1"));
        var agent = scene.registerAgent("theirs", "m1");
        scene.machine("m1", "{}").awaitCondition("m1", "InfraEnvReady", "False/InfraEnvConflict");

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
        assertThat(scene.find(InfraEnv.class, "m1")).isNotNull();
        assertThat(scene.require(Agent.class, "theirs").getMetadata().getResourceVersion())
                .isEqualTo(agent.getMetadata().getResourceVersion());
    }

    private static boolean isGoing(HasMetadata object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    private static void gone(ConfigScene scene) {
        scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }
}
