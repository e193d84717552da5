package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.NMStateConfig;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The InfraEnv of a config, and foreign InfraEnvs. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class InfraEnvTest {

    private static final String OVERRIDE = "openshiftassistedconfig.cluster.x-k8s.io/discovery-ignition-override";

    @Test
    void everySettingOfTheDiscoveryPhase_isTakenOver(ConfigScene scene) {
        Secret unused = scene.create(Secret.class, """
            apiVersion: v1
            kind: Secret
            metadata: {name: mine}
            stringData: {.dockerconfigjson: '{"auths":{}}'}
            """);
        scene.ready().liveIsoMachine("m1", """
            {pullSecretRef: {name: mine}, sshAuthorizedKey: ssh-ed25519 AAAA, cpuArchitecture: aarch64,
             additionalNTPSources: [ntp-2, ntp-1], additionalTrustBundle: PEM,
             proxy: {httpProxy: 'http://p', httpsProxy: 'https://p', noProxy: local},
             kernelArguments: [{operation: append, value: rd.neednet=1}], mirrorRegistryRef: {name: mirrors},
             nmStateConfigLabelSelector: {matchLabels: {host: m1}}}
            """).awaitInfraEnv("m1");

        InfraEnv infraEnv = scene.require(InfraEnv.class, "m1");
        assertThat(infraEnv.getMetadata().getLabels())
                .containsEntry("bootstrap.cluster.x-k8s.io/openshiftAssistedConfig", "m1-config")
                .containsEntry("cluster.x-k8s.io/cluster-name", "demo");
        assertThat(infraEnv.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getKind)
                .containsExactlyInAnyOrder("OpenshiftAssistedConfig", "Machine");
        assertThat(Fields.map(infraEnv, "spec"))
                .containsEntry("clusterRef", Map.of("name", "demo-cp", "namespace", scene.namespace))
                .containsEntry("pullSecretRef", Map.of("name", "mine"))
                .containsEntry("sshAuthorizedKey", "ssh-ed25519 AAAA")
                .containsEntry("cpuArchitecture", "aarch64")
                .containsEntry("additionalNTPSources", List.of("ntp-2", "ntp-1"))
                .containsEntry("additionalTrustBundle", "PEM")
                .containsEntry("proxy", Map.of("httpProxy", "http://p", "httpsProxy", "https://p", "noProxy", "local"))
                .containsEntry("nmStateConfigLabelSelector", Map.of("matchLabels", Map.of("host", "m1")))
                .containsEntry("kernelArguments", List.of(Map.of("operation", "append", "value", "rd.neednet=1")))
                .containsEntry("mirrorRegistryRef", Map.of("name", "mirrors", "namespace", scene.namespace))
                .containsEntry("imageType", "full-iso");
        assertThat(scene.secret("placeholder-pull-secret")).isNull();
    }

    @Test
    void anEditAtTheMomentOfAStatusWrite_isNotLost(ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        for (int round = 0; round < 12; round++) {
            String override = "{\"ignition\":{\"version\":\"3.1.0\"},\"round\":" + round + "}";
            boolean fails = round % 2 == 0;
            scene.status(InfraEnv.class, "m1", Map.of("conditions", List.of(image(fails))));
            // The status is written once it has been stable for a second; the edit happens at a different point each
            // time.
            LockSupport.parkNanos(Duration.ofMillis(980 + 8L * round).toNanos());
            annotate(scene, OVERRIDE, override);
            String mark = "\"round\":" + round;
            ConfigScene.soon("the override of round " + round)
                    .until(() -> override(scene).contains(mark));
        }
    }

    private static Map<String, Object> image(boolean fails) {
        return Map.of(
                "type",
                "ImageCreated",
                "status",
                fails ? "False" : "True",
                "reason",
                fails ? "ImageCreationError" : "ImageCreated",
                "message",
                "of the image");
    }

    @Test
    void withoutAPullSecret_aPlaceholderServesAllMachinesOfTheNamespace(ConfigScene scene) {
        scene.ready().machine("m1", "{}").machine("m2", "{}");
        scene.awaitInfraEnv("m1");
        scene.awaitInfraEnv("m2");

        assertThat(scene.secret("placeholder-pull-secret")).satisfies(secret -> {
            assertThat(secret.getData()).containsOnlyKeys(".dockerconfigjson");
            assertThat(secret.getMetadata().getOwnerReferences()).isEmpty();
        });
        for (String machine : List.of("m1", "m2")) {
            assertThat(Fields.string(scene.require(InfraEnv.class, machine), "spec", "pullSecretRef", "name"))
                    .isEqualTo("placeholder-pull-secret");
            assertThat(scene.require(OpenshiftAssistedConfig.class, machine + "-config")
                            .getSpec()
                            .pullSecretRef())
                    .isNull();
        }
    }

    @Test
    void aClusterThatTheServiceRefuses_isReportedInEachConfig(ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.status(
                AgentClusterInstall.class,
                "demo-cp",
                Map.of(
                        "debugInfo",
                        Map.of("state", "insufficient"),
                        "conditions",
                        List.of(Map.of(
                                "type",
                                "SpecSynced",
                                "status",
                                "False",
                                "reason",
                                "InputError",
                                "message",
                                "no such release"))));

        scene.awaitCondition("m1", "InfraEnvReady", "False/InstallSpecRejected");
    }

    @Test
    void theOsImageVersion_followsOnceTheClusterIsInstalled_forTheServiceRefusesItBefore(ConfigScene scene) {
        scene.ready().machine("m1", "{osImageVersion: '4.21'}").withData("m1");
        scene.provider.awaitRest();
        assertThat(Fields.map(scene.require(InfraEnv.class, "m1"), "spec")).doesNotContainKey("osImageVersion");

        scene.installed();

        ConfigScene.soon("the version")
                .until(() ->
                        "4.21".equals(Fields.string(scene.require(InfraEnv.class, "m1"), "spec", "osImageVersion")));
    }

    @Test
    void theDiscoveryOverride_reachesTheInfraEnv_alsoLater_unlessItIsNoJson(ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        annotate(scene, OVERRIDE, "{\"ignition\":{\"version\":\"3.1.0\"}}");
        ConfigScene.soon("override").until(() -> override(scene).contains("3.1.0"));

        annotate(scene, OVERRIDE, "{\"ignition\":{\"version\":\"3.2.0\"}}");
        ConfigScene.soon("another override").until(() -> override(scene).contains("3.2.0"));

        // assisted-service keeps the last override where the field is taken away.
        annotate(scene, OVERRIDE, "{nope");
        ConfigScene.soon("an override that changes nothing")
                .until(() -> override(scene).contains("3.1.0"));
    }

    @Test
    void networkSettingsOfAnotherNamespace_whichAssistedServiceWouldAdd_areWarnedOf(ConfigScene scene) {
        String label = scene.namespace;
        scene.ready()
                .machine("m1", "{nmStateConfigLabelSelector: {matchLabels: {net: " + label + "}}}")
                .awaitInfraEnv("m1");
        String alone = override(scene);
        try (ConfigScene other = scene.another()) {
            var unused = other.create(NMStateConfig.class, """
                apiVersion: agent-install.openshift.io/v1beta1
                kind: NMStateConfig
                metadata: {name: theirs, labels: {net: %s}}
                spec: {config: {}}
                """.formatted(label));

            ConfigScene.soon("another mark").until(() -> !override(scene).equals(alone));
            scene.publishBootMedia("m1");
            scene.awaitCondition("m1", "InfraEnvReady", "True/ForeignNetworkSettings");
            assertThat(scene.message("m1", "InfraEnvReady")).doesNotContain(other.namespace, "theirs");

            other.delete(NMStateConfig.class, "theirs");
            scene.awaitCondition("m1", "InfraEnvReady", "True/InfraEnvReady");
            assertThat(override(scene)).isEqualTo(alone);
        }
    }

    @Test
    void onceAHostHasBooted_nothingChangesAnyMore(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        String data =
                Objects.requireNonNull(scene.secret("m1-config")).getMetadata().getResourceVersion();

        annotate(scene, OVERRIDE, "{\"ignition\":{\"version\":\"3.1.0\"}}");

        scene.provider.awaitRest();
        assertThat(override(scene)).isEmpty();
        assertThat(Objects.requireNonNull(scene.secret("m1-config"))
                        .getMetadata()
                        .getResourceVersion())
                .isEqualTo(data);
    }

    @Test
    void oneOfAnother_isNotChanged_andNeitherAreItsAgents(ConfigScene scene) {
        scene.ready();
        InfraEnv theirs = scene.create(InfraEnv.class, ConfigSamples.foreignInfraEnv("m1"));
        var unused = scene.registerAgent("theirs", "m1");
        scene.machine("m1", "{}");

        scene.awaitCondition("m1", "InfraEnvReady", "False/InfraEnvConflict");
        assertThat(scene.message("m1", "Ready")).contains("InfraEnv m1", "delete or rename it");
        scene.provider.awaitRest();
        assertThat(scene.require(InfraEnv.class, "m1").getMetadata().getResourceVersion())
                .isEqualTo(theirs.getMetadata().getResourceVersion());
        assertThat(scene.approved("theirs")).isFalse();
        assertThat(scene.provider.writes("agents", "")).isEmpty();

        scene.delete(InfraEnv.class, "m1");
        ConfigScene.soon("one of its own")
                .until(() -> scene.find(InfraEnv.class, "m1") != null
                        && !Objects.equals(
                                scene.require(InfraEnv.class, "m1")
                                        .getMetadata()
                                        .getUid(),
                                theirs.getMetadata().getUid()));
    }

    @Test
    void oneThatTheServiceRefuses_showsWhy_withoutTheToken(ConfigScene scene) {
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");

        scene.status(
                InfraEnv.class,
                "m1",
                Map.of(
                        "conditions",
                        List.of(Map.of(
                                "type",
                                "ImageCreated",
                                "status",
                                "False",
                                "reason",
                                "ImageCreationError",
                                "message",
                                "no image at http://images/x?api_key=SECRET for m68k"))));

        scene.awaitCondition("m1", "InfraEnvReady", "False/ImageCreationFailed");
        assertThat(scene.message("m1", "Ready")).contains("m68k").doesNotContain("SECRET");
    }

    private static String override(ConfigScene scene) {
        return Objects.requireNonNullElse(
                Fields.string(scene.require(InfraEnv.class, "m1"), "spec", "ignitionConfigOverride"), "");
    }

    private static void annotate(ConfigScene scene, String name, String value) {
        scene.edit(
                OpenshiftAssistedConfig.class,
                "m1-config",
                config -> config.getMetadata().setAnnotations(Map.of(name, value)));
    }
}
