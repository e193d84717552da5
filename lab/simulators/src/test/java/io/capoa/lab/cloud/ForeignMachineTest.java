package io.capoa.lab.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class ForeignMachineTest {

    private static final String MACHINE = """
            apiVersion: infrastructure.example.com/v1
            kind: ExampleMachine
            metadata: {name: m-1, uid: "1"}
            spec: {providerID: example://a/i-1}
            status:
              initialization: {provisioned: true}
              failureDomain: a
              addresses:
              - {type: InternalIP, address: 192.0.2.1}
              - {type: InternalDNS, address: ip-192-0-2-1.internal}
              - {type: Hostname, address: Node-1}
              - {type: ExternalIP}
            """;

    @Test
    void anInstance_isNamedByItsHostname_elseByItsDnsName_elseByItsObject() {
        assertThat(machine(MACHINE).hostname()).isEqualTo("node-1");
        assertThat(machine(MACHINE.replace("Hostname", "ExternalDNS")).hostname())
                .isEqualTo("ip-192-0-2-1.internal");
        assertThat(machine(MACHINE.replace("Hostname", "ExternalDNS").replace("InternalDNS", "ExternalDNS"))
                        .hostname())
                .isEqualTo("m-1");
    }

    @Test
    void anInstanceRuns_whenItIsProvisioned_andHasAProviderId() {
        assertThat(machine(MACHINE).isProvisioned()).isTrue();
        assertThat(machine(MACHINE.replace("provisioned: true", "provisioned: false"))
                        .isProvisioned())
                .isFalse();
        assertThat(machine(MACHINE.replace("providerID: example://a/i-1", "")).isProvisioned())
                .isFalse();
    }

    @Test
    void theCloudKnowsWhatTheObjectDeclares() {
        var instance = machine(MACHINE).instance("b");
        assertThat(instance.providerId()).isEqualTo("example://a/i-1");
        assertThat(instance.zone()).isEqualTo("a");
        assertThat(instance.addresses())
                .extracting(address -> address.get("type"))
                .containsExactly("InternalIP", "InternalDNS", "Hostname");
        assertThat(machine(MACHINE.replace("failureDomain: a", ""))
                        .instance("b")
                        .zone())
                .isEqualTo("b");
    }

    private static ForeignMachine machine(String yaml) {
        return new ForeignMachine(Serialization.unmarshal(yaml, GenericKubernetesResource.class));
    }
}
