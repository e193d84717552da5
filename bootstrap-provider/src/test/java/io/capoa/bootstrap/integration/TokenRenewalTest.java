package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
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
    void untilAHostIsTaken_theDataFollowsTheDiscoveryOverrideAndTheNetworkSettings(ConfigScene scene) {
        scene.ready().machine("m1", selecting(scene)).awaitInfraEnv("m1");
        takeOver(scene, "first");
        scene.withData("m1");
        String first = override(scene);
        scene.edit(
                OpenshiftAssistedConfig.class,
                "m1-config",
                config -> config.getMetadata()
                        .setAnnotations(Map.of(
                                "openshiftassistedconfig.cluster.x-k8s.io/discovery-ignition-override",
                                "{\"ignition\":{\"version\":\"3.1.0\"}}")));
        awaitDownloadOfOldContent(scene, first);
        takeOver(scene, "overridden");
        ConfigScene.soon("the data with the override").until(() -> data(scene).contains("overridden"));

        String overridden = override(scene);
        var unused = scene.create(NMStateConfig.class, """
            apiVersion: agent-install.openshift.io/v1beta1
            kind: NMStateConfig
            metadata: {name: late, labels: {net: %s}}
            spec: {config: {dns-resolver: {}}, interfaces: [{name: eno1, macAddress: '52:54:00:00:00:01'}]}
            """.formatted(scene.namespace));
        awaitDownloadOfOldContent(scene, overridden);
        assertThat(data(scene)).contains("overridden");
        takeOver(scene, "networked");
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
        // The host and the settings arrive on two watches.
        scene.provider.awaitRest();
        scene.edit(NMStateConfig.class, "late", late -> Fields.map(late, "spec").put("config", Map.of("a", "b")));
        scene.provider.awaitRest();
        assertThat(scene.server.requests()).hasSize(downloads);
    }

    @Test
    void anIgnitionOfBeforeAChange_isNotStored_soThatNoHostBootsWithIt(ConfigScene scene) {
        scene.ready().machine("m1", selecting(scene)).awaitInfraEnv("m1");
        scene.publishBootMedia("m1");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/DownloadingIgnition");
        assertThat(scene.message("m1", "Ready")).contains("until assisted-service has taken them over");
        assertThat(scene.secret("m1-config")).isNull();

        takeOver(scene, "now");
        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        assertThat(data(scene)).contains("now");
    }

    /** A label of this test alone: assisted-service, and so the provider, selects in all namespaces. */
    private static String selecting(ConfigScene scene) {
        return "{nmStateConfigLabelSelector: {matchLabels: {net: " + scene.namespace + "}}}";
    }

    /** Another change has been written to the InfraEnv, and was not in an ignition that was downloaded then. */
    private static void awaitDownloadOfOldContent(ConfigScene scene, String before) {
        ConfigScene.soon("another mark").until(() -> !override(scene).equals(before));
        int downloads = scene.server.requests().size();
        ConfigScene.soon("a download").until(() -> scene.server.requests().size() > downloads);
    }

    /** assisted-service makes the ignition from the present InfraEnv. */
    private static void takeOver(ConfigScene scene, String mark) {
        scene.server.answer = override(scene).replaceFirst("\\{", "{\"mark\": \"" + mark + "\", ");
    }

    private static String override(ConfigScene scene) {
        return String.valueOf(Fields.string(scene.require(InfraEnv.class, "m1"), "spec", "ignitionConfigOverride"));
    }

    private static String ignition(String mark) {
        return "{\"ignition\": {\"version\": \"3.1.0\"}, \"mark\": \"" + mark + "\"}";
    }

    private static String data(ConfigScene scene) {
        Secret secret = Objects.requireNonNull(scene.secret("m1-config"));
        return new String(Base64.getDecoder().decode(secret.getData().get("value")), StandardCharsets.UTF_8);
    }
}
