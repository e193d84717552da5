package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.AgentClusterInstall;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names and networks that the service refuses. */
class ClusterInputRulesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            one  | platformType: BareMetal |
            a.b  | platformType: None      |
            a.b  | platformType: BareMetal | Cluster name format is not valid: 'a.b'. Name must start and end with either a letter or number and consist of lower-case letters, numbers, and hyphens. Subdomains in cluster names are only valid with none platform.
            LONG | platformType: None      | name in body should be at most 54 chars long
            one  | networking: {clusterNetwork: [{cidr: 10.128.0.0/14, hostPrefix: 23}], serviceNetwork: [172.30.0.0/16]} |
            one  | networking: {clusterNetwork: [{cidr: 10.128.0.0/22, hostPrefix: 23}]} | Cluster network CIDR prefix 22 does not contain enough addresses for 4 hosts each one with 23 prefix
            one  | networking: {clusterNetwork: [{cidr: 10.128.0.0/14, hostPrefix: 26}]} | Host prefix, now 26, must be less than or equal to 25 to allow at least 128 addresses
            one  | apiVIPs: ['fd00::5', 192.0.2.5], networking: {machineNetwork: [{cidr: 192.0.2.0/24}, {cidr: 'fd00::/64'}]} | Inconsistent IP family order: machine_networks first IP is 192.0.2.0/24 but api_vips first IP is fd00::5. All networks must have the same IP family first
            one  | networking: {clusterNetwork: [{cidr: 'fd02::/48', hostPrefix: 64}], serviceNetwork: [172.30.0.0/16]} | Inconsistent IP family order: service_networks first IP is 172.30.0.0/16 but cluster_networks first IP is fd02::/48. All networks must have the same IP family first
            """)
    void namesAndNetworks_areCheckedAsByTheService(String name, String spec, @Nullable String error) {
        AgentClusterInstall install = new KubernetesSerialization()
                .unmarshal(
                        "spec: {" + spec + ", provisionRequirements: {controlPlaneAgents: 3}}",
                        AgentClusterInstall.class);

        assertThat(ClusterInputRules.inputError(name.replace("LONG", "a".repeat(55)), install))
                .isEqualTo(error == null ? "" : error);
    }
}
