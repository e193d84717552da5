package io.capoa.lab.assisted;

import static io.capoa.lab.assisted.ServiceScene.condition;
import static io.capoa.lab.assisted.ServiceScene.eventually;
import static io.capoa.lab.assisted.ServiceScene.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input is rejected with the conditions and messages of the real service. */
@Tag("full")
class InputErrorsTest extends ServiceTest {

    static final String KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH5zBH7Pl+a2VV8i4ByDrv5ZPnDDnwlXBHbpHhQ8cXZH a@b";
    private static final String NO_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMultinodeSampleKeyReplaceItWithYours x";
    private static final String SPEC = """
            networking: {}
            provisionRequirements: {controlPlaneAgents: 1}
            """;

    @Test
    void aMalformedKeyOfTheCluster_isAnInputError_untilItIsCorrected() {
        scene.cluster(SPEC + "sshPublicKey: " + NO_KEY, 0);

        eventually(() -> {
            assertThat(condition(scene.install(), "SpecSynced")).isEqualTo("False/InputError");
            assertThat(message(scene.install(), "SpecSynced"))
                    .isEqualTo("The Spec could not be synced due to an input error: Malformed SSH key: " + NO_KEY
                            + ": ssh: no key found");
            assertThat(condition(scene.install(), "Validated")).isEqualTo("Unknown/NotAvailable");
        });

        scene.patch(scene.install(), Map.of("spec", Map.of("sshPublicKey", KEY)));
        eventually(() -> assertThat(condition(scene.install(), "SpecSynced")).isEqualTo("True/SyncOK"));
    }

    @Test
    void aReleaseThatCannotBeRead_isAnInputError_thatStaysWhenItCan() {
        failRelease("\"unreadable\"");
        scene.cluster(SPEC, 0);
        eventually(() -> assertThat(message(scene.install(), "SpecSynced"))
                .startsWith("The Spec could not be synced due to an input error: failed to get release image by URL"
                        + " quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64"));

        failRelease("null");
        scene.patch(scene.install(), Map.of("spec", Map.of("sshPublicKey", KEY)));
        eventually(() ->
                assertThat(Fields.any(scene.install(), "spec", "sshPublicKey")).isEqualTo(KEY));
        assertThat(condition(scene.install(), "SpecSynced")).isEqualTo("False/InputError");
    }

    private void failRelease(String value) {
        var unused = scene.client
                .resources(ClusterImageSet.class)
                .withName(scene.namespace)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"lab.capoa.io/fail\":%s}}}".formatted(value));
    }

    @Test
    void virtualIpsOnPlatformExternal_areAnInputError() {
        scene.cluster("""
                networking: {userManagedNetworking: true}
                platformType: External
                apiVIPs: [192.0.2.1]
                ingressVIPs: [192.0.2.2]
                provisionRequirements: {controlPlaneAgents: 3}
                """, 0);

        eventually(() -> {
            assertThat(condition(scene.install(), "SpecSynced")).isEqualTo("False/InputError");
            assertThat(message(scene.install(), "SpecSynced"))
                    .isEqualTo("The Spec could not be synced due to an input error: API and ingress VIPs cannot be set"
                            + " with user-managed-networking");
        });
    }

    @Test
    void aMalformedKeyOfAnInfraEnv_isAnImageCreationError_untilItIsCorrected() {
        scene.cluster(SPEC, 0);
        scene.infraEnv("m-0", "sshAuthorizedKey: my key");

        eventually(() -> {
            assertThat(condition(scene.infraEnv("m-0"), "ImageCreated")).isEqualTo("False/ImageCreationError");
            assertThat(message(scene.infraEnv("m-0"), "ImageCreated"))
                    .isEqualTo("Failed to create image: SSH key: my key does not match any supported type:"
                            + " ssh-rsa, ssh-ed25519, ecdsa-[VARIANT]");
        });

        scene.patch(scene.infraEnv("m-0"), Map.of("spec", Map.of("sshAuthorizedKey", KEY)));
        eventually(() ->
                assertThat(condition(scene.infraEnv("m-0"), "ImageCreated")).isEqualTo("True/InfraEnvAvailable"));
    }

    @Test
    void argumentsOfTheKernelThatAreNotAppended_areAnImageCreationError_andTakeTheIsoAway() {
        scene.cluster(SPEC, 0);
        scene.infraEnv("m-0", "");
        eventually(() -> assertThat(Fields.string(scene.infraEnv("m-0"), "status", "isoDownloadURL"))
                .isNotNull());

        scene.patch(
                scene.infraEnv("m-0"),
                Map.of("spec", Map.of("kernelArguments", List.of(Map.of("operation", "delete", "value", "quiet")))));

        eventually(() -> {
            assertThat(condition(scene.infraEnv("m-0"), "ImageCreated")).isEqualTo("False/ImageCreationError");
            assertThat(message(scene.infraEnv("m-0"), "ImageCreated"))
                    .isEqualTo("Failed to create image: Only kernel argument operation append is supported.  Got"
                            + " delete");
            assertThat(Fields.string(scene.infraEnv("m-0"), "status", "isoDownloadURL"))
                    .isNull();
        });
    }

    @Test
    void anOverrideOfAnotherVersion_isAnImageCreationError() {
        scene.cluster(SPEC, 0);
        scene.infraEnv("m-0", "ignitionConfigOverride: '{\"ignition\": {\"version\": \"3.3.0\"}}'");

        eventually(() -> {
            assertThat(condition(scene.infraEnv("m-0"), "ImageCreated")).isEqualTo("False/ImageCreationError");
            assertThat(message(scene.infraEnv("m-0"), "ImageCreated"))
                    .startsWith("Failed to create image: error parsing ignition: unsupported config version");
        });
    }

    @Test
    void aChangedNetworkSetting_getsAnImageOfItsOwn() {
        scene.cluster(SPEC, 0);
        scene.infraEnv("m-0", """
            nmStateConfigLabelSelector: {matchLabels: {host: NS}}
            """.replace("NS", scene.namespace));
        String first = eventually(() -> {
            String url = Fields.string(scene.infraEnv("m-0"), "status", "isoDownloadURL");
            assertThat(url).isNotNull();
            return url;
        });

        scene.apply("""
            apiVersion: agent-install.openshift.io/v1beta1
            kind: NMStateConfig
            metadata: {name: n, namespace: NS, labels: {host: NS}}
            spec: {config: {interfaces: []}, interfaces: [{name: eth0, macAddress: "52:54:00:00:00:01"}]}
            """);

        eventually(() -> assertThat(Fields.string(scene.infraEnv("m-0"), "status", "isoDownloadURL"))
                .isNotNull()
                .isNotEqualTo(first));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                KEY,
                KEY + "\n" + KEY,
                "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMkRHwZbEBoWJMDDVaVf0iMYwyyhJ5j4XgTTxyW2tM2"
                        + "wRkUEuXk4nfoAfmYDsTqCTPLgpNGgCyRrQCFnc0rGCsI= c"
            })
    void keysOneALine_areTaken(String keys) {
        assertThat(SshKeys.problem(keys)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssh-ed25519 AAAA",
                NO_KEY,
                "key",
                "no-pty " + KEY,
                "# mine\n" + KEY,
                KEY + "\n\n" + KEY,
                "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIH5zBH7Pl+a2VV8i4ByDrv5ZPnDDnwlXBHbpHhQ8cXZH a@b"
            })
    void whatIsNoKey_isNot(String keys) {
        assertThat(SshKeys.problem(keys)).contains("SSH key: ");
    }
}
