package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The manager is killed after each visible write, and another one takes over. */
@Tag("full")
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.SECOND_LANE)
class RestartTest {

    @Test
    void killedAfterEveryStep_itsSuccessorContinues_andWritesNothingTwice(TestCluster cluster) {
        try (ConfigScene scene = new ConfigScene(cluster, "restarted")) {
            List<BootstrapProcess.Kill> kills = new ArrayList<>();
            BootstrapProcess first = start(scene);
            scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
            kills.add(first.kill());
            scene.publishBootMedia("m1");
            String infraEnv = uid(scene.require(InfraEnv.class, "m1"));

            BootstrapProcess second = start(scene);
            ConfigScene.soon("secret").until(() -> scene.secret("m1-config") != null);
            kills.add(second.kill());
            Secret secret = Objects.requireNonNull(scene.secret("m1-config"));
            var unused = scene.registerAgent("agent-1", "m1");

            BootstrapProcess third = start(scene);
            ConfigScene.soon("approval").until(() -> scene.approved("agent-1"));
            kills.add(third.kill());
            String agent = scene.require(Agent.class, "agent-1").getMetadata().getResourceVersion();

            BootstrapProcess fourth = start(scene);
            scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
            assertThat(scene.require(Agent.class, "agent-1").getMetadata().getResourceVersion())
                    .isEqualTo(agent);
            scene.agent("agent-1", "installed", "Installed", "True", "InstallationCompleted", "done");
            scene.awaitCondition("m1", "Ready", "True/Ready");
            // The log has the last write later than the object shows it.
            scene.provider.awaitRest();
            kills.add(fourth.kill());

            int before = scene.provider.writes().size();
            BootstrapProcess fifth = start(scene);
            scene.finalizers(InfraEnv.class, "m1", "infraenv.agent-install.openshift.io/ai-deprovision");
            scene.provider.awaitRest();
            assertThat(scene.provider.writes()).hasSize(before);
            assertThat(uid(scene.require(InfraEnv.class, "m1"))).isEqualTo(infraEnv);
            assertThat(Objects.requireNonNull(scene.secret("m1-config"))
                            .getMetadata()
                            .getResourceVersion())
                    .isEqualTo(secret.getMetadata().getResourceVersion());
            scene.delete(OpenshiftAssistedConfig.class, "m1-config");
            scene.awaitCondition("m1", "Ready", "False/Deleting");
            ConfigScene.soon("deletion of the InfraEnv")
                    .until(() ->
                            scene.require(InfraEnv.class, "m1").getMetadata().getDeletionTimestamp() != null);
            scene.provider.awaitRest();
            kills.add(fifth.kill());
            scene.finalizers(InfraEnv.class, "m1");
            scene.delete(Agent.class, "agent-1");

            try (BootstrapProcess sixth = start(scene)) {
                scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
                assertThat(sixth.figures().cpuSeconds()).isPositive();
            }
            assertThat(scene.provider.writes())
                    .filteredOn(write -> kills.stream().noneMatch(kill -> kill.cutOff(write)))
                    .allMatch(AuditEntry::succeeded);
            assertThat(List.of("infraenvs", "agents"))
                    .allSatisfy(kind -> assertThat(scene.provider.writes(kind, "").stream()
                                    .filter(write -> !write.verb().equals("delete")))
                            .hasSize(1));
            assertThat(scene.provider.writes("secrets", "").stream().map(AuditEntry::name))
                    .containsExactly("placeholder-pull-secret", "m1-config");
        }
    }

    private static BootstrapProcess start(ConfigScene scene) {
        return BootstrapProcess.start(
                scene.cluster, "--namespace=" + scene.namespace, "--watch-filter=" + scene.watchFilter());
    }

    private static String uid(InfraEnv infraEnv) {
        return infraEnv.getMetadata().getUid();
    }
}
