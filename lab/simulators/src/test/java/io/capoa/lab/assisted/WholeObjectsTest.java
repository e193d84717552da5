package io.capoa.lab.assisted;

import static io.capoa.lab.assisted.ServiceScene.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Fields;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The service updates an AgentClusterInstall from its Go types, which drops fields that are set to their zero value. */
@Tag("full")
class WholeObjectsTest extends ServiceTest {

    @Test
    void whenItTakesOverAnInstall_zeroValuesDisappear_othersStay() {
        scene.cluster("""
                networking: {networkType: OVNKubernetes, userManagedNetworking: true}
                platformType: None
                sshPublicKey: ""
                holdInstallation: false
                mastersSchedulable: false
                manifestsConfigMapRefs: []
                proxy: {httpProxy: "", noProxy: .lab}
                diskEncryption: {enableOn: none, mode: tpmv2}
                provisionRequirements: {controlPlaneAgents: 3, workerAgents: 0}
                """, 0);

        eventually(
                () -> assertThat(scene.install().getMetadata().getFinalizers()).contains(Owned.INSTALL_FINALIZER));
        assertThat(Fields.map(scene.install(), "spec"))
                .containsOnlyKeys(
                        "clusterDeploymentRef",
                        "diskEncryption",
                        "imageSetRef",
                        "networking",
                        "platformType",
                        "provisionRequirements",
                        "proxy")
                .containsEntry("networking", Map.of("networkType", "OVNKubernetes", "userManagedNetworking", true))
                .containsEntry("proxy", Map.of("noProxy", ".lab"))
                .containsEntry("diskEncryption", Map.of("enableOn", "none", "mode", "tpmv2"))
                .containsEntry("provisionRequirements", Map.of("controlPlaneAgents", 3));
    }

    @Test
    void whenItWritesTheClustersMetadata_zeroValuesSetSinceDisappearAgain() {
        scene.cluster("""
                networking: {}
                provisionRequirements: {controlPlaneAgents: 1}
                """, 1);
        String agent = scene.register(0);
        scene.patch(
                scene.install(),
                Map.of(
                        "spec",
                        Map.of(
                                "holdInstallation",
                                false,
                                "provisionRequirements",
                                Map.of("controlPlaneAgents", 1, "workerAgents", 0))));
        assertThat(Fields.map(scene.install(), "spec")).containsEntry("holdInstallation", false);
        scene.approve(agent, "master");

        eventually(() -> assertThat(Fields.string(scene.install(), "spec", "clusterMetadata", "clusterID"))
                .isNotNull());
        assertThat(Fields.map(scene.install(), "spec")).doesNotContainKey("holdInstallation");
        assertThat(Fields.map(scene.install(), "spec", "provisionRequirements")).containsOnlyKeys("controlPlaneAgents");
    }
}
