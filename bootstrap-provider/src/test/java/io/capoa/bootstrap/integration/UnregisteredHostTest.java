package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A host that booted while assisted-service accepted no new hosts: it is lost until it reboots. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.FIRST_LANE)
class UnregisteredHostTest {

    private static final Map<String, String> WITHOUT_PATIENCE = Map.of("HOST_REGISTRATION_SECONDS", "0");

    @Test
    void afterTheInstallation_itIsReported_andTheHostRebooted_onceAndThenOnRequest(TestCluster cluster) {
        try (ConfigScene scene = new ConfigScene(cluster, "unregistered")) {
            BootstrapProcess first = start(scene);
            try {
                booted(scene);
                scene.provider.awaitRest();
                assertThat(scene.condition("m1", "AgentRegistered")).isEqualTo("False/WaitingForAgent");
                assertThat(scene.provider.writes("baremetalhosts", "")).isEmpty();

                scene.installed();

                scene.awaitCondition("m1", "AgentRegistered", "False/HostNotRegistered");
                assertThat(scene.message("m1", "Ready")).contains("BareMetalHost " + scene.namespace + "/host-m1");
                ConfigScene.soon("reboot").until(() -> annotations(scene).containsKey("reboot.metal3.io"));
                String uid = scene.require(OpenshiftAssistedConfig.class, "m1-config")
                        .getMetadata()
                        .getUid();
                assertThat(annotations(scene)).containsEntry(Annotations.REBOOTED_FOR, uid + "/automatic");
                bareMetalOperatorHasRebooted(scene);
            } finally {
                first.kill();
            }
            try (BootstrapProcess second = start(scene)) {
                ConfigScene.soon("what was done")
                        .until(() -> scene.message("m1", "Ready").contains("It has been rebooted"));
                scene.provider.awaitRest();
                assertThat(scene.provider.writes("baremetalhosts", "")).hasSize(1);

                request(scene, "1");

                ConfigScene.soon("reboot on request")
                        .until(() -> annotations(scene).containsKey("reboot.metal3.io"));
                bareMetalOperatorHasRebooted(scene);
                scene.provider.awaitRest();
                assertThat(scene.provider.writes("baremetalhosts", "")).hasSize(2);

                var unused = scene.report("agent-1", "m1");
                scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
                assertThat(second.figures().cpuSeconds()).isPositive();
            }
        }
    }

    @Test
    void whileTheClusterIsPaused_orTheMachineHasANode_noHostIsRebooted(TestCluster cluster) {
        try (ConfigScene scene = new ConfigScene(cluster, "unregistered-paused");
                BootstrapProcess provider = start(scene)) {
            booted(scene);
            scene.pause(true);
            scene.awaitCondition("m1", "Paused", "True/Paused");
            scene.installed();
            request(scene, "1");

            scene.provider.awaitRest();
            assertThat(scene.provider.writes("baremetalhosts", "")).isEmpty();
            assertThat(provider.figures().cpuSeconds()).isPositive();
        }
    }

    /** A host that Metal3 had claimed before the installation and that booted during it. */
    private static void booted(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        scene.awaitCondition("m1", "AgentRegistered", "False/WaitingForAgent");
        scene.installState("installing");
        scene.takeHost("m1").provisioned("m1");
    }

    private static BootstrapProcess start(ConfigScene scene) {
        return BootstrapProcess.start(
                scene.cluster,
                WITHOUT_PATIENCE,
                "--namespace=" + scene.namespace,
                "--watch-filter=" + scene.watchFilter());
    }

    private static void request(ConfigScene scene, String value) {
        scene.edit(OpenshiftAssistedConfig.class, "m1-config", config -> {
            Map<String, String> annotations = new HashMap<>();
            if (config.getMetadata().getAnnotations() != null) {
                annotations.putAll(config.getMetadata().getAnnotations());
            }
            annotations.put(Annotations.REBOOT_HOST, value);
            config.getMetadata().setAnnotations(annotations);
        });
    }

    private static void bareMetalOperatorHasRebooted(ConfigScene scene) {
        scene.edit(
                BareMetalHost.class,
                "host-m1",
                host -> host.getMetadata().getAnnotations().remove("reboot.metal3.io"));
    }

    private static Map<String, String> annotations(ConfigScene scene) {
        Map<String, String> annotations =
                scene.require(BareMetalHost.class, "host-m1").getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }
}
