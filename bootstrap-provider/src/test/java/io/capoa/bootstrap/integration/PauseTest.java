package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.InfraEnv;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ways of pausing in Cluster API, applied to configs. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class PauseTest {

    /** Source of the pause. */
    enum Way {
        CLUSTER {
            @Override
            void pause(ConfigScene scene, boolean paused) {
                scene.pause(paused);
            }
        },
        ANNOTATION {
            @Override
            void pause(ConfigScene scene, boolean paused) {
                scene.edit(
                        OpenshiftAssistedConfig.class,
                        "m1-config",
                        config -> config.getMetadata()
                                .setAnnotations(paused ? Map.of("cluster.x-k8s.io/paused", "") : Map.of()));
            }
        };

        abstract void pause(ConfigScene scene, boolean paused);
    }

    @BeforeEach
    void begin(ConfigScene scene) {
        scene.ready();
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsDone_untilThePauseEnds(Way way, ConfigScene scene) {
        scene.machine("m1", "{}").awaitInfraEnv("m1");
        way.pause(scene, true);
        scene.awaitCondition("m1", "Paused", "True/Paused");

        scene.publishBootMedia("m1");
        var unused = scene.registerAgent("agent-1", "m1");

        scene.provider.awaitRest();
        assertThat(scene.secret("m1-config")).isNull();
        assertThat(scene.approved("agent-1")).isFalse();
        assertThat(scene.server.requests()).isEmpty();

        way.pause(scene, false);
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        scene.awaitCondition("m1", "Paused", "False/NotPaused");
    }

    @ParameterizedTest
    @EnumSource
    void deletionWaitsForItsEnd(Way way, ConfigScene scene) {
        scene.machine("m1", "{}").awaitInfraEnv("m1");
        way.pause(scene, true);
        scene.awaitCondition("m1", "Paused", "True/Paused");

        scene.delete(OpenshiftAssistedConfig.class, "m1-config");

        scene.awaitCondition("m1", "Ready", "False/Deleting");
        assertThat(scene.message("m1", "Ready")).contains("pause");
        scene.provider.awaitRest();
        assertThat(scene.find(InfraEnv.class, "m1")).isNotNull();

        way.pause(scene, false);
        scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
    }

    @Test
    void aDownloadThatFailed_isNotTriedAgainUntilItsEnd(ConfigScene scene) {
        scene.server.status = 503;
        scene.machine("m1", "{}").awaitInfraEnv("m1");
        scene.publishBootMedia("m1");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/IgnitionDownloadFailed");

        scene.pause(true);
        scene.awaitCondition("m1", "Paused", "True/Paused");

        int before = scene.server.requests().size();
        try (ConfigScene other = scene.another().ready()) {
            other.server.status = 503;
            other.machine("m1", "{}").awaitInfraEnv("m1");
            other.publishBootMedia("m1");
            // Two more back-offs together are longer than the next one here, whatever their jitter.
            ConfigScene.soon("the retries of a config that is not paused")
                    .until(() -> other.server.requests().size() >= before + 2);
        }
        assertThat(scene.server.requests()).hasSize(before);
        scene.server.status = 200;
        scene.pause(false);
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
    }

    @Test
    void whatWasSaidBeforeThePause_staysSaid(ConfigScene scene) {
        scene.machine("m1", "{}").withNode("m1", "agent-1");

        scene.pause(true);

        scene.awaitCondition("m1", "Paused", "True/Paused");
        assertThat(scene.condition("m1", "Ready")).isEqualTo("True/Ready");
        assertThat(scene.require(OpenshiftAssistedConfig.class, "m1-config")
                        .getStatus()
                        .initialization()
                        .dataSecretCreated())
                .isTrue();
    }

    @Test
    void aMachineThatAppearsInAPausedCluster_getsNothing(ConfigScene scene) {
        scene.machine("witness", "{}").pause(true);
        // The provider has seen the pause.
        scene.awaitCondition("witness", "Paused", "True/Paused");

        scene.machine("m1", "{}");

        scene.awaitCondition("m1", "Paused", "True/Paused");
        assertThat(scene.find(InfraEnv.class, "m1")).isNull();
    }
}
