package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentSettingsTest {

    @Test
    void aMachineOfTheControlPlane_isMaster() {
        assertThat(AgentSettings.role(machine(Map.of(Labels.CONTROL_PLANE, ""))))
                .isEqualTo("master");
        assertThat(AgentSettings.role(machine(Map.of()))).isEqualTo("worker");
    }

    @Test
    void onlyAControlPlaneMarksItsArbiters() {
        Machine arbiter = machine(Map.of(Labels.CONTROL_PLANE, ""));
        arbiter.getMetadata().setAnnotations(Map.of(Annotations.BMAC_ROLE, "arbiter"));
        assertThat(AgentSettings.role(arbiter)).isEqualTo("arbiter");
        arbiter.getMetadata().setLabels(Map.of());
        assertThat(AgentSettings.role(arbiter)).isEqualTo("worker");
    }

    @Test
    void theNodeIsLabelledWithTheUidOfItsHost() {
        assertThat(settings("{}").nodeLabels()).containsExactly(Map.entry("metal3.io/uuid", "bmh-uid"));
        assertThat(settings("nodeLabels: {role: infra}").nodeLabels())
                .containsExactly(Map.entry("metal3.io/uuid", "bmh-uid"), Map.entry("role", "infra"));
    }

    @Test
    void anArbiter_whoseKubeletReadsNoLabels_getsThemByItsAgent() {
        Machine arbiter = machine(Map.of(Labels.CONTROL_PLANE, ""));
        arbiter.getMetadata().setAnnotations(Map.of(Annotations.BMAC_ROLE, "arbiter"));
        OpenshiftAssistedConfigSpec spec = spec("""
                nodeRegistration:
                  kubeletExtraLabels: [rack=r1, zone=z1, 'metal3.io/uuid=$METADATA_UUID', 'host=${METADATA_NAME}']
                nodeLabels: {zone: z2}
                """);

        assertThat(AgentSettings.of(spec, arbiter, HostHints.NONE, "IGN", null).nodeLabels())
                .containsExactly(Map.entry("rack", "r1"), Map.entry("zone", "z2"));
        assertThat(AgentSettings.of(spec, machine(Map.of()), HostHints.NONE, "IGN", null)
                        .nodeLabels())
                .containsExactly(Map.entry("zone", "z2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nodeRegistration: {kubeletExtraLabels: ['metal3.io/uuid=$METADATA_UUID']}",
                "nodeRegistration: {kubeletExtraLabels: ['a=b', 'metal3.io/uuid=x']}",
                "nodeLabels: {metal3.io/uuid: x}"
            })
    void alsoWhereTheUserSetsThatLabel_whichAHostOfALiveIsoCannotResolve(String spec) {
        assertThat(settings(spec).nodeLabels()).containsExactly(Map.entry("metal3.io/uuid", "bmh-uid"));
    }

    @ParameterizedTest
    @CsvSource({"MachineName,machine-1", "HostName,host-1", "None,"})
    void theHostIsNamedByPolicy(String policy, String name) {
        assertThat(settings("hostnamePolicy: " + policy).hostname()).isEqualTo(name);
    }

    @Test
    void furtherInstallerArgumentsFollowTheKernels() {
        String spec = """
                kernelArguments: [{operation: append, value: a=1}]
                installerArgs: [--copy-network]
                """;
        assertThat(settings(spec).installerArgs()).isEqualTo("[\"--append-karg\",\"a=1\",\"--copy-network\"]");
    }

    private static AgentSettings settings(String spec) {
        HostHints host = new HostHints("host-1", Map.of("metal3.io/uuid", "bmh-uid"), null);
        return AgentSettings.of(spec(spec), machine(Map.of()), host, "IGN", null);
    }

    private static Machine machine(Map<String, String> labels) {
        Machine machine = new Machine();
        machine.setMetadata(
                new ObjectMetaBuilder().withName("machine-1").withLabels(labels).build());
        return machine;
    }

    private static OpenshiftAssistedConfigSpec spec(String yaml) {
        return Serialization.unmarshal(yaml, OpenshiftAssistedConfigSpec.class);
    }
}
