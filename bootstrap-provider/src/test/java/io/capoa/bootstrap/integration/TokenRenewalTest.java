package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.NMStateConfig;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tokens of boot media expire, and assisted-service publishes new ones, which are used until a host boots. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class TokenRenewalTest {

    @Test
    void untilAHostIsTaken_theDataFollowsTheToken_andStaysAvailable(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        scene.server.answer = ignition("second");
        scene.server.token = "SECOND";

        scene.publishBootMedia("m1", scene.server, "SECOND");

        ConfigScene.soon("the data of the second token").until(() -> data(scene).contains("second"));
        assertThat(scene.condition("m1", "DataSecretAvailable")).isEqualTo("True/DataSecretAvailable");
        assertThat(Objects.requireNonNull(scene.secret("m1-config"))
                        .getMetadata()
                        .getAnnotations())
                .allSatisfy((name, value) -> assertThat(value).doesNotContain("SECOND"));
    }

    @Test
    void onceAHostIsTaken_theDataStays_andNothingIsDownloaded(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        scene.takeHost("m1");
        scene.provider.awaitRest();
        String before = data(scene);
        scene.server.answer = ignition("second");

        scene.publishBootMedia("m1", scene.server, "SECOND");

        scene.provider.awaitRest();
        assertThat(data(scene)).isEqualTo(before);
        assertThat(scene.server.requests()).hasSize(1);
    }

    @Test
    void aTokenThatExpiredBeforeTheDownload_isReported_andTheNextOneUsed(ConfigScene scene) {
        scene.server.token = "SECOND";
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.publishBootMedia("m1");
        scene.awaitCondition("m1", "DataSecretAvailable", "False/IgnitionDownloadFailed");
        assertThat(scene.message("m1", "Ready")).contains("401").doesNotContain("SECRET");

        scene.publishBootMedia("m1", scene.server, "SECOND");

        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        assertThat(scene.condition("m1", "Ready")).startsWith(Condition.FALSE);
    }

    @Test
    void untilAHostIsTaken_theDataFollowsTheDiscoveryOverrideAndTheNetworkSettings(ConfigScene scene) {
        scene.ready()
                .machine("m1", "{nmStateConfigLabelSelector: {matchLabels: {net: a}}}")
                .withData("m1");
        scene.server.answer = ignition("overridden");
        scene.edit(
                OpenshiftAssistedConfig.class,
                "m1-config",
                config -> config.getMetadata()
                        .setAnnotations(Map.of(
                                "openshiftassistedconfig.cluster.x-k8s.io/discovery-ignition-override",
                                "{\"ignition\":{\"version\":\"3.1.0\"}}")));
        ConfigScene.soon("the data with the override").until(() -> data(scene).contains("overridden"));

        scene.server.answer = ignition("networked");
        var unused = scene.create(NMStateConfig.class, """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: NMStateConfig
            metadata: {name: late, labels: {net: a}}
            spec: {config: {dns-resolver: {}}, interfaces: [{name: eno1, macAddress: '52:54:00:00:00:01'}]}
            """);
        ConfigScene.soon("the data with the network settings")
                .until(() -> data(scene).contains("networked"));

        scene.provider.awaitRest();
        int downloads = scene.server.requests().size();
        unused = scene.create(NMStateConfig.class, """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: NMStateConfig
            metadata: {name: others, labels: {net: b}}
            spec: {config: {}}
            """);
        scene.takeHost("m1");
        scene.edit(NMStateConfig.class, "late", late -> Fields.map(late, "spec").put("config", Map.of("a", "b")));
        scene.provider.awaitRest();
        assertThat(scene.server.requests()).hasSize(downloads);
    }

    private static String ignition(String mark) {
        return "{\"ignition\": {\"version\": \"3.1.0\"}, \"mark\": \"" + mark + "\"}";
    }

    private static String data(ConfigScene scene) {
        Secret secret = Objects.requireNonNull(scene.secret("m1-config"));
        return new String(Base64.getDecoder().decode(secret.getData().get("value")), StandardCharsets.UTF_8);
    }
}
