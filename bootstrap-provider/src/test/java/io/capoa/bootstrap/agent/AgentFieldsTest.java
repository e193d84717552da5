package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentFieldsTest {

    private static final OpenshiftAssistedConfigSpec KERNEL = spec("""
            kernelArguments:
              - {operation: append, value: "console=tty0 console=ttyS0,115200n8"}
              - {operation: replace, value: rd.neednet=1}
              - {operation: delete, value: quiet}
            """);
    private static final String ARGUMENTS = "[\"--append-karg\",\"console=tty0 console=ttyS0,115200n8\","
            + "\"--append-karg\",\"rd.neednet=1\",\"--delete-karg\",\"quiet\"]";

    @Test
    void aNewWorkerGetsAllInOnePatch() {
        assertThat(AgentFields.patch(agent(Map.of("approved", false, "role", "")), machine(Map.of()), KERNEL, "IGN"))
                .isEqualTo(Map.of(
                        "spec",
                        Map.of(
                                "role",
                                "worker",
                                "ignitionConfigOverrides",
                                "IGN",
                                "installerArgs",
                                ARGUMENTS,
                                "approved",
                                true)));
    }

    @Test
    void aMachineOfTheControlPlane_isMaster() {
        assertThat(AgentFields.role(machine(Map.of(Labels.CONTROL_PLANE, "")))).isEqualTo("master");
    }

    @Test
    void whatIsRightAlready_isNotWritten() {
        Agent agent = agent(Map.of("approved", true, "role", "worker", "ignitionConfigOverrides", "IGN"));

        assertThat(AgentFields.patch(agent, machine(Map.of()), spec("sshAuthorizedKey: k"), "IGN"))
                .isEmpty();
        assertThat(AgentFields.patch(agent, machine(Map.of()), KERNEL, "IGN"))
                .isEqualTo(Map.of("spec", Map.of("installerArgs", ARGUMENTS)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"installing", "installed", "error", "added-to-existing-cluster"})
    void onceTheInstallationHasBegun_nothingChanges(String state) {
        Agent agent = agent(Map.of("approved", true, "role", "master"));
        agent.setAdditionalProperty("status", Map.of("debugInfo", Map.of("state", state)));

        assertThat(AgentFields.patch(agent, machine(Map.of()), KERNEL, "IGN")).isEmpty();
    }

    @Test
    void theApprovedAgentIsTheMachines_otherwiseTheFirst() {
        Agent first = named("b", "2026-01-01T00:00:00Z", false);
        Agent second = named("a", "2026-01-01T00:00:01Z", false);
        Agent approved = named("c", "2026-01-01T00:00:02Z", true);

        assertThat(AgentChoice.among(List.of(second, first)).agent()).isSameAs(first);
        assertThat(AgentChoice.among(List.of(second, first, approved)).agent()).isSameAs(approved);
    }

    @Test
    void anAgentThatIsGoing_doesNotCount() {
        Agent going = named("a", "2026-01-01T00:00:00Z", true);
        going.getMetadata().setDeletionTimestamp("2026-01-02T00:00:00Z");
        Agent back = named("b", "2026-01-02T00:00:00Z", false);

        assertThat(AgentChoice.among(List.of(going, back)).agent()).isSameAs(back);
        assertThat(AgentChoice.among(List.of(going)).agent()).isNull();
    }

    private static Agent agent(Map<String, Object> spec) {
        Agent agent = new Agent();
        agent.setMetadata(new ObjectMetaBuilder().withName("a").build());
        agent.setAdditionalProperty("spec", new HashMap<>(spec));
        return agent;
    }

    private static Agent named(String name, String created, boolean approved) {
        Agent agent = agent(Map.of("approved", approved));
        agent.getMetadata().setName(name);
        agent.getMetadata().setCreationTimestamp(created);
        return agent;
    }

    private static Machine machine(Map<String, String> labels) {
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder().withLabels(labels).build());
        return machine;
    }

    private static OpenshiftAssistedConfigSpec spec(String yaml) {
        return Serialization.unmarshal(yaml, OpenshiftAssistedConfigSpec.class);
    }
}
