package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Platforms, virtual IPs, load balancers and user-managed networking of an AgentClusterInstall. */
class InstallSpecRulesTest {

    private static final String VIPS = "apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            platformType: External, VIPS | API and ingress VIPs cannot be set with user-managed-networking
            platformType: External, networking: {userManagedNetworking: false} | Platform External requires user-managed-networking
            platformType: None, networking: {userManagedNetworking: false} | Platform None requires user-managed-networking
            platformType: External, loadBalancer: {type: UserManaged} | User managed load balancer is supported only on platforms BareMetal and VSphere, not on platform External
            platformType: Nutanix, loadBalancer: {type: UserManaged} | User managed load balancer is supported only on platforms BareMetal and VSphere, not on platform Nutanix
            platformType: VSphere, networking: {userManagedNetworking: true} | Can't set vsphere platform with user-managed-networking enabled
            platformType: Nutanix, networking: {userManagedNetworking: true} | Can't set nutanix platform with user-managed-networking enabled
            platformType: VSphere, provisionRequirements: {controlPlaneAgents: 1} | Single-node clusters cannot have platform VSphere
            """)
    void aContradiction_isAnInputError(String spec, String message) {
        assertThat(InstallSpecRules.inputError(install(spec))).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            platformType: External | false
            platformType: External, networking: {userManagedNetworking: true}, external: {platformName: oci} | false
            platformType: External, provisionRequirements: {controlPlaneAgents: 1} | false
            platformType: VSphere, VIPS | true
            platformType: VSphere, loadBalancer: {type: UserManaged} | false
            platformType: Nutanix, VIPS | true
            """)
    void anyOtherPlatform_isAccepted_andHasVirtualIpsOrNot(String spec, boolean vips) {
        assertThat(InstallSpecRules.inputError(install(spec))).isEmpty();
        assertThat(InstallSpecRules.needsVips(install(spec))).isEqualTo(vips);
    }

    @Test
    void aLaterChangeOfTheCloudControllerManager_hasNoEffect_unlessThePlatformChanges() {
        ClusterRecord cluster = new ClusterRecord(new Key("ns", "c"), "uid");

        accept(cluster, "platformType: External, external: {cloudControllerManager: External}");
        assertThat(cluster.hasExternalCloudProvider()).isTrue();
        accept(cluster, "platformType: External, external: {cloudControllerManager: ''}");
        assertThat(cluster.hasExternalCloudProvider()).isTrue();
        accept(cluster, "platformType: None, external: {cloudControllerManager: External}");
        assertThat(cluster.hasExternalCloudProvider()).isFalse();
    }

    private static void accept(ClusterRecord cluster, String spec) {
        AgentClusterInstall install = install(spec);
        cluster.platform(InstallSpecRules.platform(install), InstallSpecRules.hasExternalCloudProvider(install));
    }

    private static AgentClusterInstall install(String spec) {
        String hosts = spec.contains("provisionRequirements") ? "" : ", provisionRequirements: {controlPlaneAgents: 3}";
        return new KubernetesSerialization()
                .unmarshal("spec: {" + spec.replace("VIPS", VIPS) + hosts + "}", AgentClusterInstall.class);
    }
}
