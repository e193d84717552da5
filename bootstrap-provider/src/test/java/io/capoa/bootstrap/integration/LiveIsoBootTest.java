package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Metal3Machine;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Hosts that boot assisted-service's ISO: its URL is set on the Metal3Machine before the data is published. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class LiveIsoBootTest {

    private static final String ISO = "http://images/iso-1?api_key=SECRET";

    @Test
    void theMetal3MachineGetsItsOwnIso_beforeTheDataExists(ConfigScene scene) {
        scene.ready().liveIsoMachine("m1", "{}").liveIsoMachine("m2", "{}");
        scene.awaitInfraEnv("m1");
        scene.awaitCondition("m1", "InfraEnvReady", "False/WaitingForLiveISOURL");
        assertThat(scene.secret("m1-config")).isNull();

        publishIso(scene, "m1", ISO);

        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        assertThat(image(scene, "m1")).isEqualTo(ISO);
        assertThat(image(scene, "m2")).startsWith("http://live-iso.invalid/");
        Secret secret = Objects.requireNonNull(scene.secret("m1-config"));
        assertThat(secret.getData()).containsKeys("value", "format");
        assertThat(secret.getType()).isEqualTo("cluster.x-k8s.io/secret");
        assertThat(scene.server.requests()).isEmpty();
        var patched = scene.provider.writes("metal3machines", "").getFirst();
        var stored = scene.provider.writes("secrets", "").getLast();
        assertThat(patched.time()).isBefore(stored.received());
    }

    @Test
    void anotherIso_replacesTheFirst_untilAHostIsTaken(ConfigScene scene) {
        scene.ready().liveIsoMachine("m1", "{}").awaitInfraEnv("m1");
        publishIso(scene, "m1", ISO);
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");

        publishIso(scene, "m1", "http://images/iso-2");
        ConfigScene.soon("the second ISO").until(() -> image(scene, "m1").equals("http://images/iso-2"));

        scene.takeHost("m1");
        publishIso(scene, "m1", "http://images/iso-3");
        scene.provider.awaitRest();
        assertThat(image(scene, "m1")).isEqualTo("http://images/iso-2");
    }

    @Test
    void anIsoOfAnotherVersion_isWaitedFor_whereTheConfigAsksForIt(ConfigScene scene) {
        scene.ready()
                .installed()
                .liveIsoMachine("m1", "{osImageVersion: '4.21'}")
                .awaitInfraEnv("m1");

        publishIso(scene, "m1", "http://images/4.20.iso");

        // Its status is not awaited: it may be held back for longer than the ISO is waited for (ConfigPlanTest has it).
        ConfigScene.soon("the version asked for")
                .until(() ->
                        "4.21".equals(Fields.string(scene.require(InfraEnv.class, "m1"), "spec", "osImageVersion")));
        assertThat(image(scene, "m1")).startsWith("http://live-iso.invalid/");
        assertThat(scene.secret("m1-config")).isNull();

        publishIso(scene, "m1", "http://images/4.21.iso");

        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        assertThat(scene.provider.writes("metal3machines", "")).hasSize(1);
        assertThat(image(scene, "m1")).isEqualTo("http://images/4.21.iso");
    }

    @Test
    void theTokenOfTheIso_isInNoCondition(ConfigScene scene) {
        scene.ready().liveIsoMachine("m1", "{}").awaitInfraEnv("m1");
        publishIso(scene, "m1", ISO);

        scene.awaitCondition("m1", "Ready", "False/WaitingForAgent");
        for (String type : new String[] {"Ready", "DataSecretAvailable", "InfraEnvReady"}) {
            assertThat(scene.message("m1", type)).doesNotContain("SECRET");
        }
    }

    @Test
    void settingsThatNeedAConfigDrive_areNamed_andNoHostIsBootedForThem(ConfigScene scene) {
        scene.ready()
                .liveIsoMachine(
                        "m1", "{nodeRegistration: {name: $METADATA_NAME, kubeletExtraLabels: [zone=$METADATA_ZONE]}}")
                .liveIsoMachine("m2", "{nodeRegistration: {kubeletExtraLabels: [metal3.io/uuid=$METADATA_UUID]}}");
        scene.awaitInfraEnv("m1");
        scene.awaitInfraEnv("m2");
        publishIso(scene, "m1", ISO);
        publishIso(scene, "m2", ISO);

        scene.awaitCondition("m1", "DataSecretAvailable", "False/HostMetadataUnavailable");
        assertThat(scene.message("m1", "Ready"))
                .contains(
                        "spec.nodeRegistration.name needs $METADATA_NAME",
                        "kubeletExtraLabels zone needs $METADATA_ZONE");
        assertThat(image(scene, "m1")).startsWith("http://live-iso.invalid/");
        assertThat(scene.secret("m1-config")).isNull();
        scene.awaitCondition("m2", "DataSecretAvailable", "True/DataSecretAvailable");
    }

    @Test
    void aHostIsDetachedFromItsRebootOn_andAttachedAgainBeforeItIsDeprovisioned(ConfigScene scene) {
        scene.ready().liveIsoMachine("m1", "{}").awaitInfraEnv("m1");
        publishIso(scene, "m1", ISO);
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        scene.takeHost("m1").provisioned("m1");
        var unused = scene.report("agent-1", "m1");
        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        stage(scene, "Writing image to disk");
        scene.provider.awaitRest();
        assertThat(annotations(scene)).doesNotContainKey(Annotations.HOST_DETACHED);

        stage(scene, "Rebooting");

        ConfigScene.soon("detached").until(() -> annotations(scene).containsKey(Annotations.HOST_DETACHED));
        stage(scene, "Joined");
        scene.provider.awaitRest();
        assertThat(scene.provider.writes("baremetalhosts", "")).hasSize(1);

        scene.finalizers(Metal3Machine.class, "m1", "metal3machine.infrastructure.cluster.x-k8s.io");
        scene.delete(Metal3Machine.class, "m1");

        ConfigScene.soon("attached")
                .until(() -> !annotations(scene).containsKey(Annotations.HOST_DETACHED)
                        && !annotations(scene).containsKey(Annotations.DETACHED_FOR));
        scene.finalizers(Metal3Machine.class, "m1");
    }

    @Test
    void aHostThatWasGivenTheImageOfBefore_getsTheIso_onceThatIsDeployed(ConfigScene scene) {
        scene.ready().liveIsoMachine("m1", "{}").awaitInfraEnv("m1");
        publishIso(scene, "m1", ISO);
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        scene.takeHost("m1").provisioning("m1", "provisioning");
        // As CAPM3 does whose cache does not have the provider's write yet.
        scene.edit(
                BareMetalHost.class,
                "host-m1",
                host -> Fields.map(host, "spec")
                        .put("image", Map.of("url", "http://live-iso.invalid/discovery.iso", "format", "live-iso")));
        scene.provider.awaitRest();
        assertThat(scene.provider.writes("baremetalhosts", "")).isEmpty();

        scene.provisioned("m1");

        ConfigScene.soon("the ISO of the Machine")
                .until(() -> ISO.equals(
                        Fields.string(scene.require(BareMetalHost.class, "host-m1"), "spec", "image", "url")));
        scene.provider.awaitRest();
        assertThat(scene.provider.writes("baremetalhosts", "")).hasSize(1);
    }

    private static void stage(ConfigScene scene, String stage) {
        Map<String, Object> status =
                new java.util.HashMap<>(Fields.map(scene.require(Agent.class, "agent-1"), "status"));
        status.put("debugInfo", Map.of("state", "installing-in-progress"));
        status.put("progress", Map.of("currentStage", stage, "installationPercentage", 50));
        scene.status(Agent.class, "agent-1", status);
    }

    private static Map<String, String> annotations(ConfigScene scene) {
        Map<String, String> annotations =
                scene.require(BareMetalHost.class, "host-m1").getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    private static void publishIso(ConfigScene scene, String infraEnv, String url) {
        scene.status(InfraEnv.class, infraEnv, Map.of("isoDownloadURL", url));
    }

    private static String image(ConfigScene scene, String machine) {
        return String.valueOf(Fields.string(scene.require(Metal3Machine.class, machine), "spec", "image", "url"));
    }
}
