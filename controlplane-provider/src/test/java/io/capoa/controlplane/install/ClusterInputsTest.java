package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.testing.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterInputsTest {

    private static final String VIPS = "apiVIPs: [192.0.2.5], ingressVIPs: [192.0.2.6]";
    private static final String DUAL = "apiVIPs: [192.0.2.5, 'fd01::5'], ingressVIPs: [192.0.2.6, 'fd01::6'],"
            + " networking: {machineNetwork: [{cidr: 192.0.2.0/24}, {cidr: 'fd01::/64'}]}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            prod.one | VIPS                   | the name of Cluster prod.one, which is that of the OpenShift cluster, has a dot, which assisted-service takes on platform None alone, and the platform is BareMetal: write a name without dots in spec.config.clusterName
            one      | clusterName: a.b, VIPS | the name of the OpenShift cluster, a.b, has a dot
            LONG     |                        | has 55 characters, at most 54 are possible: write a shorter name in spec.config.clusterName
            one      | clusterName: LONG      | has 55 characters
            one      | platform: {type: External}, clusterName: a.b | the platform is External
            """)
    void aNameThatIsNoneOfAnOpenshiftCluster_isSaid_whereverItComesFrom(
            String cluster, @Nullable String config, String problem) {
        String given = config == null ? "" : config.replace("VIPS", VIPS);
        assertThat(problem(cluster.replace("LONG", "a".repeat(55)), given.replace("LONG", "a".repeat(55)), "{}"))
                .hasValueSatisfying(said -> assertThat(said).contains(problem));
    }

    @Test
    void otherNames_arePossible() {
        assertThat(problem("prod.one", "", "{}")).isEmpty();
        assertThat(problem("prod.one", "clusterName: one, " + VIPS, "{}")).isEmpty();
        assertThat(problem("a".repeat(54), VIPS, "{}")).isEmpty();
    }

    @Test
    void theNameOfAClusterDeployment_isKept() {
        ClusterDeployment registered =
                Objects.read(ClusterDeployment.class, "metadata: {name: cp}\nspec: {clusterName: one}");

        assertThat(ClusterInputs.problem(
                        identity("prod.one", VIPS), config("prod.one", VIPS), cluster("prod.one", "{}"), registered))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {pods: [10.128.0.0/14], services: [172.30.0.0/16]}                       | VIPS |
            {pods: [10.128.0.0/14, 'fd02::/48'], services: [172.30.0.0/16, 'fd03::/112']} | DUAL |
            {pods: ['fd02::/48', 10.128.0.0/14], services: ['fd03::/112', 172.30.0.0/16]} | DUAL | spec.clusterNetwork.services.cidrBlocks of Cluster one begins with IPv6, but spec.config.networking.machineNetwork with IPv4: put the same IP family first in every list
            {pods: ['fd02::/48', 10.128.0.0/14], services: [172.30.0.0/16]}          | VIPS | spec.clusterNetwork.pods.cidrBlocks of Cluster one begins with IPv6, but spec.config.apiVIPs with IPv4
            {pods: [10.128.0.1/14]}                                                  |      | spec.clusterNetwork.pods.cidrBlocks[0] of Cluster one, 10.128.0.1/14, is an address in a network, not the network: write 10.128.0.0/14
            {services: [some]}                                                       |      | spec.clusterNetwork.services.cidrBlocks[0] of Cluster one, some, is no network
            {services: [172.30.0.0/26]}                                              |      | has fewer than 128 addresses: write a network with a prefix of at most 25
            {pods: [10.128.0.0/23]}                                                  | VIPS | spec.clusterNetwork.pods.cidrBlocks of Cluster one has 10.128.0.0/23, which cannot be divided into 4 subnets of prefix 23, one for each node: write a larger network, or a longer spec.config.networking.hostPrefix.ipv4
            {pods: [10.128.0.0/23]}                                                  | networking: {hostPrefix: {ipv4: 25}} |
            {pods: [10.128.0.0/23]}                                                  | networking: {networkType: Calico} |
            {pods: [10.128.0.0/14]}                                                  | networking: {hostPrefix: {ipv4: 26}} | spec.config.networking.hostPrefix.ipv4 is 26, which gives a node fewer than 128 addresses: write at most 25
            {pods: ['fd02::/63']}                                                    |      | has fd02:0:0:0:0:0:0:0/63, which cannot be divided into 4 subnets of prefix 64
            {pods: [10.128.0.0/14], services: [10.130.0.0/16]}                       |      | spec.clusterNetwork.services.cidrBlocks of Cluster one has 10.130.0.0/16, which overlaps with 10.128.0.0/14
            {pods: [192.0.0.0/16]}                                                   | networking: {machineNetwork: [{cidr: 192.0.2.0/24}]} | overlaps with 192.0.2.0/24 of spec.config.networking.machineNetwork
            """)
    void networksOfTheCluster_areCheckedWithThoseOfTheControlPlane(
            String networks, @Nullable String config, @Nullable String problem) {
        String given = config == null ? "" : config.replace("VIPS", VIPS).replace("DUAL", DUAL);
        Optional<String> said = problem("one", given, networks);

        if (problem == null) {
            assertThat(said).isEmpty();
        } else {
            assertThat(said).hasValueSatisfying(words -> assertThat(words).contains(problem));
        }
    }

    private static Optional<String> problem(String name, String config, String networks) {
        return ClusterInputs.problem(identity(name, config), config(name, config), cluster(name, networks), null);
    }

    private static ControlPlaneIdentity identity(String name, String config) {
        ControlPlaneIdentity usual = Objects.identity("{}", config);
        return new ControlPlaneIdentity(usual.controlPlane(), name);
    }

    private static ClusterConfig config(String name, String config) {
        return java.util.Objects.requireNonNull(
                identity(name, config).controlPlane().getSpec().config());
    }

    private static Cluster cluster(String name, String networks) {
        String blocks = networks.replaceAll("(pods|services): (\\[[^]]*\\])", "$1: {cidrBlocks: $2}");
        return Objects.read(
                Cluster.class, "metadata: {name: '%s'}\nspec: {clusterNetwork: %s}".formatted(name, blocks));
    }
}
