package io.capoa.controlplane.workload.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What identifies a Node of a workload cluster. */
class ClusterNodeTest {

    @Test
    void aNodeIsKnownByItsAddresses_hostNamesAndHost() {
        assertThat(ClusterNode.of(node("""
                metadata: {name: n-0, uid: u, labels: {metal3.io/uuid: host}}
                spec: {providerID: "metal3://ns/host/machine"}
                status:
                  conditions: [{type: Ready, status: "True"}]
                  addresses:
                  - {type: InternalIP, address: 192.0.2.1}
                  - {type: ExternalIP, address: 198.51.100.1}
                  - {type: Hostname, address: n-0.example.com}
                """)))
                .isEqualTo(new ClusterNode(
                        "n-0",
                        "u",
                        "metal3://ns/host/machine",
                        Set.of("192.0.2.1", "198.51.100.1"),
                        Set.of("n-0.example.com"),
                        "host",
                        true));
    }

    @Test
    void whatANodeDoesNotSay_identifiesNothing() {
        assertThat(ClusterNode.of(node("""
                metadata: {name: n-0, uid: u}
                spec: {providerID: ""}
                status: {conditions: [{type: Ready}], addresses: [{type: InternalIP, address: ""}, {type: InternalIP}]}
                """)))
                .isEqualTo(new ClusterNode("n-0", "u", null, Set.of(), Set.of("n-0"), null, false));
    }

    /** The API server of a workload cluster may answer what no API server stores. */
    @Test
    void whatIsNoName_isCut() {
        assertThat(ClusterNode.of(node("metadata: {name: \"" + "n".repeat(2_000) + "\\n\"}"))
                        .name())
                .isEqualTo("n".repeat(253) + "…");
    }

    private static GenericKubernetesResource node(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }
}
