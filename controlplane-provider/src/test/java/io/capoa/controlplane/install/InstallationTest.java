package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void everySettingIsSet() {
        AgentClusterInstall install = open(Objects.identity("{}", """
                                apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2], sshAuthorizedKey: key,
                                    mastersSchedulable: true, manifestsConfigMapRefs: [{name: extra}],
                                    diskEncryption: {enableOn: all, mode: tpmv2}, proxy: {noProxy: .lab}"""), null, "{\"a\":1}");
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
                .containsEntry("provisionRequirements", Map.of("controlPlaneAgents", 3))
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
    void withoutVips_thePlatformIsNone_andNoOverrideIsSet() {
        AgentClusterInstall install = open("apiVIPs: [192.0.2.1]");
        assertThat(Fields.string(install, "spec", "platformType")).isEqualTo("None");
        assertThat(Fields.map(install, "spec")).doesNotContainKey("apiVIPs");
        assertThat(install.getMetadata().getAnnotations()).isNullOrEmpty();
    }

    @Test
    void everyNetworkSettingIsSet() {
        AgentClusterInstall install = open("""
                loadBalancer: {type: UserManaged}, ntpSources: [ntp.lab], holdInstallation: true,
                    networking: {networkType: Calico, userManagedNetworking: true, hostPrefix: {ipv4: 26, ipv6: 60},
                      machineNetwork: [{cidr: 192.0.2.0/24}, {cidr: "fd02::/64"}]}""");
        assertThat(Fields.map(install, "spec"))
                .containsEntry("platformType", "BareMetal")
                .containsEntry("loadBalancer", Map.of("type", "UserManaged"))
                .containsEntry("ntpSources", List.of("ntp.lab"))
                .containsEntry("holdInstallation", true)
                .containsEntry(
                        "networking",
                        Map.of(
                                "networkType",
                                "Calico",
                                "userManagedNetworking",
                                true,
                                "machineNetwork",
                                List.of(Map.of("cidr", "192.0.2.0/24"), Map.of("cidr", "fd02::/64")),
                                "clusterNetwork",
                                List.of(
                                        Map.of("cidr", "172.18.0.0/20", "hostPrefix", 26),
                                        Map.of("cidr", "fd01::/48", "hostPrefix", 60)),
                                "serviceNetwork",
                                List.of("10.96.0.0/12")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | None",
                "'apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]' | BareMetal",
                "'apiVIPs: [192.0.2.1]' | None",
                "'loadBalancer: {type: UserManaged}' | BareMetal",
                "'loadBalancer: {type: ClusterManaged}' | None",
                "'platform: {type: BareMetal}' | BareMetal",
                "'platform: {type: None}, loadBalancer: {type: UserManaged}' | None",
                "'platform: {type: External}' | External",
                "'platform: {type: VSphere}, apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]' | VSphere",
                "'platform: {type: Nutanix}, apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]' | Nutanix",
                "'platform: {type: OfALaterRelease}' | None",
            })
    void thePlatformIsTheUsersChoice_orDerivedFromTheVirtualAddresses(String config, String platform) {
        assertThat(Fields.string(open(config), "spec", "platformType")).isEqualTo(platform);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | Unknown | ''",
                "', platformName: oci' | oci | ''",
                "', platformName: oci, cloudControllerManager: None' | oci | ''",
                "', cloudControllerManager: External' | Unknown | External",
            })
    void platformExternal_hasItsProvider_andTheUsersNetworking(String more, String name, String manager) {
        AgentClusterInstall install = open("platform: {type: External" + more
                + "}, apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2], manifestsConfigMapRefs: [{name: ccm}]");

        assertThat(Fields.map(install, "spec"))
                .doesNotContainKeys("apiVIPs", "ingressVIPs", "loadBalancer")
                .containsEntry("manifestsConfigMapRefs", List.of(Map.of("name", "ccm")));
        assertThat(Fields.any(install, "spec", "networking", "userManagedNetworking"))
                .isEqualTo(true);
        assertThat(Fields.string(install, "spec", "external", "platformName")).isEqualTo(name);
        assertThat(Fields.string(install, "spec", "external", "cloudControllerManager"))
                .isEqualTo(manager.isEmpty() ? null : manager);
    }

    @ParameterizedTest
    @ValueSource(strings = {"VSphere", "Nutanix"})
    void aPlatformWithVirtualAddresses_hasThem(String type) {
        AgentClusterInstall install =
                open("platform: {type: " + type + "}, apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]");

        assertThat(Fields.map(install, "spec"))
                .containsEntry("apiVIPs", List.of("192.0.2.1"))
                .containsEntry("ingressVIPs", List.of("192.0.2.2"))
                .doesNotContainKey("external");
        assertThat(Fields.map(install, "spec", "networking")).doesNotContainKey("userManagedNetworking");
    }

    @Test
    void onceStarted_anotherPlatformIsHeldBack() {
        assertThat(started(
                                Objects.identity("{}", "sshAuthorizedKey: old, platform: {type: External}"),
                                existing("installing"),
                                "{\"old\":true}")
                        .heldBack())
                .containsExactly("external", "networking", "platformType");
    }

    @Test
    void mirrorRegistriesAreSetTwice_forTheServiceAndAsManifests() {
        AgentClusterInstall install =
                open("imageRegistryRef: {name: mirrors}, manifestsConfigMapRefs: [{name: extra}]");
        assertThat(Fields.map(install, "spec"))
                .containsEntry("mirrorRegistryRef", Map.of("name", "mirrors", "namespace", "ns"))
                .containsEntry(
                        "manifestsConfigMapRefs",
                        List.of(Map.of("name", "extra"), Map.of("name", "cp-additional-registry-config")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"preparing-for-installation", "installing", "finalizing", "adding-hosts", "error"})
    void onceStarted_nothingChanges_andTheDifferencesAreNamed(String state) {
        AgentClusterInstall existing = existing(state);
        Installation.Started started =
                started(Objects.identity("{}", "sshAuthorizedKey: new"), existing, "{\"old\":true}");
        assertThat(started.heldBack()).containsExactly("sshPublicKey");
        assertThat(started.metadata()).containsOnlyKeys("labels", "ownerReferences");

        assertThat(started(Objects.identity("{}", "sshAuthorizedKey: old"), existing, null)
                        .heldBack())
                .containsExactly("annotation agent-install.openshift.io/install-config-overrides");
    }

    @Test
    void beforeTheStart_editsAreApplied() {
        AgentClusterInstall install =
                open(Objects.identity("{}", "sshAuthorizedKey: new"), existing("insufficient"), null);
        assertThat(Fields.string(install, "spec", "sshPublicKey")).isEqualTo("new");
        assertThat(install.getMetadata().getAnnotations()).isNullOrEmpty();
    }

    /** assisted-service drops zero values when it writes the object; setting them again would cost a write each time. */
    @Test
    void zeroValues_areOmitted_unlessTheyReplaceAnotherValue() {
        String settings = "sshAuthorizedKey: '', mastersSchedulable: false, holdInstallation: false,"
                + " networking: {userManagedNetworking: false}, proxy: {httpProxy: '', noProxy: .lab}";
        assertThat(Fields.map(open(settings), "spec"))
                .doesNotContainKeys("sshPublicKey", "mastersSchedulable", "holdInstallation")
                .containsEntry("proxy", Map.of("noProxy", ".lab"))
                .containsEntry("provisionRequirements", Map.of("controlPlaneAgents", 3));
        assertThat(Fields.map(open(settings), "spec", "networking")).containsEntry("userManagedNetworking", false);

        AgentClusterInstall held = existing("insufficient");
        Fields.map(held, "spec")
                .putAll(Map.of(
                        "holdInstallation",
                        true,
                        "provisionRequirements",
                        Map.of("controlPlaneAgents", 3, "workerAgents", 2)));
        assertThat(Fields.map(open(Objects.identity("{}", settings), held, null), "spec"))
                .containsEntry("sshPublicKey", "")
                .containsEntry("holdInstallation", false)
                .containsEntry("provisionRequirements", Map.of("controlPlaneAgents", 3, "workerAgents", 0));
    }

    @Test
    void onceStarted_absentMeansZero() {
        AgentClusterInstall existing = existing("installing");
        Map<String, Object> spec = Fields.map(existing, "spec");
        spec.put("provisionRequirements", Map.of("controlPlaneAgents", 3));
        spec.put("mastersSchedulable", false);
        assertThat(started(Objects.identity("{}", "sshAuthorizedKey: old"), existing, "{\"old\":true}")
                        .heldBack())
                .isEmpty();

        spec.put("provisionRequirements", Map.of("controlPlaneAgents", 3, "workerAgents", 2));
        assertThat(started(Objects.identity("{}", "sshAuthorizedKey: ''"), existing, "{\"old\":true}")
                        .heldBack())
                .containsExactly("provisionRequirements", "sshPublicKey");
    }

    @Test
    void onceStarted_otherOwnersStay_andTheControlPlaneIsAddedIfMissing() {
        AgentClusterInstall existing = existing("installing");
        existing.getMetadata().setOwnerReferences(List.of(Objects.identity().owner()));
        assertThat(started(Objects.identity(), existing, null).metadata()).containsOnlyKeys("labels");
    }

    @Test
    void onceStarted_laterWorkers_areHeldBack() {
        InstallRequest request = new InstallRequest(
                Objects.identity("{}", "sshAuthorizedKey: old"), CLUSTER, 4, "{\"old\":true}", "i", false);
        assertThat(((Installation.Started) Installation.desired(request, existing("installing"))).heldBack())
                .containsExactly("provisionRequirements");
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

    private static AgentClusterInstall open(String config) {
        return open(Objects.identity("{}", config), null, null);
    }

    private static AgentClusterInstall open(
            ControlPlaneIdentity identity, @Nullable AgentClusterInstall existing, @Nullable String overrides) {
        return ((Installation.Open) desired(identity, existing, overrides)).install();
    }

    private static Installation.Started started(
            ControlPlaneIdentity identity, AgentClusterInstall existing, @Nullable String overrides) {
        return (Installation.Started) desired(identity, existing, overrides);
    }

    private static Installation desired(
            ControlPlaneIdentity identity, @Nullable AgentClusterInstall existing, @Nullable String overrides) {
        return Installation.desired(new InstallRequest(identity, CLUSTER, 0, overrides, "ns-cp", false), existing);
    }
}
