package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The AgentClusterInstall of a control plane. */
class InstallationTest {

    private static final Cluster CLUSTER = Objects.read(Cluster.class, """
            metadata: {name: one}
            spec:
              clusterNetwork:
                pods: {cidrBlocks: [172.18.0.0/20, "fd01::/48"]}
                services: {cidrBlocks: [10.96.0.0/12]}
            """);

    @Test
    void everySettingArrives() {
        AgentClusterInstall install =
                desired(Objects.identity("{}", """
                                apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2], sshAuthorizedKey: key,
                                    mastersSchedulable: true, manifestsConfigMapRefs: [{name: extra}],
                                    diskEncryption: {enableOn: all, mode: tpmv2}, proxy: {noProxy: .lab}"""), null, "{\"a\":1}").install();
        Map<String, Object> spec = Fields.map(install, "spec");
        assertThat(spec)
                .containsEntry("platformType", "BareMetal")
                .containsEntry("apiVIPs", List.of("192.0.2.1"))
                .containsEntry("ingressVIPs", List.of("192.0.2.2"))
                .containsEntry("sshPublicKey", "key")
                .containsEntry("mastersSchedulable", true)
                .containsEntry("manifestsConfigMapRefs", List.of(Map.of("name", "extra")))
                .containsEntry("diskEncryption", Map.of("enableOn", "all", "mode", "tpmv2"))
                .containsEntry("proxy", Map.of("noProxy", ".lab"))
                .containsEntry("clusterDeploymentRef", Map.of("name", "cp"))
                .containsEntry("provisionRequirements", Map.of("controlPlaneAgents", 3, "workerAgents", 0))
                .containsEntry(
                        "networking",
                        Map.of(
                                "clusterNetwork",
                                List.of(
                                        Map.of("cidr", "172.18.0.0/20", "hostPrefix", 23),
                                        Map.of("cidr", "fd01::/48", "hostPrefix", 64)),
                                "serviceNetwork",
                                List.of("10.96.0.0/12")));
        assertThat(install.getMetadata().getLabels())
                .containsEntry(Labels.CLUSTER_NAME, "one")
                .containsEntry(Labels.CONTROL_PLANE, "")
                .containsEntry(Labels.CONTROL_PLANE_NAME, "cp")
                .containsEntry(Labels.CONSUMER, "OpenshiftAssistedControlPlane");
        assertThat(install.getMetadata().getAnnotations())
                .containsEntry(Annotations.ACI_INSTALL_CONFIG_OVERRIDES, "{\"a\":1}");
    }

    @Test
    void withoutVips_thePlatformIsNone_andNoOverrideIsLeft() {
        AgentClusterInstall install = desired(Objects.identity("{}", "apiVIPs: [192.0.2.1]"), null, null)
                .install();
        assertThat(Fields.string(install, "spec", "platformType")).isEqualTo("None");
        assertThat(Fields.map(install, "spec")).doesNotContainKey("apiVIPs");
        assertThat(install.getMetadata().getAnnotations()).isNullOrEmpty();
    }

    @Test
    void workersAreThoseOfThisClusterInThisNamespace() {
        List<MachineDeployment> deployments = List.of(
                deployment("spec: {clusterName: one, replicas: 2}"),
                deployment("spec: {clusterName: one}"),
                deployment("spec: {clusterName: other, replicas: 7}"),
                elsewhere(deployment("spec: {clusterName: one, replicas: 5}")));
        AgentClusterInstall install = Installation.desired(Objects.identity(), CLUSTER, null, deployments, null)
                .install();
        assertThat(Fields.integer(install, "spec", "provisionRequirements", "workerAgents"))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"preparing-for-installation", "installing", "finalizing", "adding-hosts", "error"})
    void onceStarted_everythingStays_andTheDifferenceIsNamed(String state) {
        AgentClusterInstall existing = existing(state);
        Installation.Desired desired =
                desired(Objects.identity("{}", "sshAuthorizedKey: new"), existing, "{\"new\":true}");
        assertThat(Fields.map(desired.install(), "spec"))
                .containsEntry("sshPublicKey", "old")
                .containsEntry("imageSetRef", Map.of("name", "older"))
                .doesNotContainKey("clusterMetadata");
        assertThat(desired.install().getMetadata().getAnnotations())
                .containsEntry(Annotations.ACI_INSTALL_CONFIG_OVERRIDES, "{\"old\":true}");
        assertThat(desired.heldBack()).containsExactly("sshPublicKey");
    }

    @Test
    void beforeTheStart_editsArrive() {
        Installation.Desired desired =
                desired(Objects.identity("{}", "sshAuthorizedKey: new"), existing("insufficient"), null);
        assertThat(Fields.string(desired.install(), "spec", "sshPublicKey")).isEqualTo("new");
        assertThat(desired.heldBack()).isEmpty();
    }

    private static AgentClusterInstall existing(String state) {
        return Objects.read(AgentClusterInstall.class, """
                metadata:
                  name: cp
                  annotations: {agent-install.openshift.io/install-config-overrides: '{"old":true}'}
                spec:
                  clusterDeploymentRef: {name: cp}
                  clusterMetadata: {clusterID: a}
                  imageSetRef: {name: older}
                  platformType: None
                  sshPublicKey: old
                  provisionRequirements: {controlPlaneAgents: 3, workerAgents: 0}
                  networking:
                    networkType: OVNKubernetes
                    clusterNetwork: [{cidr: 172.18.0.0/20, hostPrefix: 23}, {cidr: "fd01::/48", hostPrefix: 64}]
                    serviceNetwork: [10.96.0.0/12]
                status: {debugInfo: {state: %s}}
                """.formatted(state));
    }

    private static MachineDeployment deployment(String spec) {
        return Objects.read(MachineDeployment.class, "metadata: {name: md}\n" + spec);
    }

    private static MachineDeployment elsewhere(MachineDeployment deployment) {
        deployment.getMetadata().setNamespace("elsewhere");
        return deployment;
    }

    private static Installation.Desired desired(
            ControlPlaneIdentity identity, @Nullable AgentClusterInstall existing, @Nullable String overrides) {
        return Installation.desired(identity, CLUSTER, existing, List.of(), overrides);
    }
}
