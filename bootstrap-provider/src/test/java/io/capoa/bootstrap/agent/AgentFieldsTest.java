package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentFieldsTest {

    /** Else assisted-service takes the node of a host out of its cluster when the Agent goes, also in a move. */
    private static final Map<String, Object> NODE_STAYS =
            Map.of("annotations", Map.of("agent.agent-install.openshift.io/skip-spoke-cleanup", "true"));

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
        assertThat(AgentFields.patch(agent(Map.of("approved", false, "role", "")), settings(KERNEL)))
                .isEqualTo(Map.of(
                        "metadata",
                        NODE_STAYS,
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
    void whatIsRightAlready_isNotWritten() {
        Agent agent = agent(Map.of("approved", true, "role", "worker", "ignitionConfigOverrides", "IGN"));

        assertThat(AgentFields.patch(agent, settings(spec("sshAuthorizedKey: k"))))
                .isEmpty();
        assertThat(AgentFields.patch(agent, settings(KERNEL)))
                .isEqualTo(Map.of("metadata", NODE_STAYS, "spec", Map.of("installerArgs", ARGUMENTS)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"installing", "installed", "error", "added-to-existing-cluster"})
    void onceTheInstallationHasBegun_nothingChanges(String state) {
        Agent agent = agent(Map.of("approved", true, "role", "master"));
        agent.setAdditionalProperty("status", Map.of("debugInfo", Map.of("state", state)));

        assertThat(AgentFields.patch(agent, settings(KERNEL))).isEmpty();
    }

    @Test
    void labelsThatOthersGave_stay() {
        Agent agent = agent(Map.of("nodeLabels", Map.of("theirs", "1", "metal3.io/uuid", "old")));
        AgentSettings settings = new AgentSettings(
                "worker", null, "IGN", "[]", null, new TreeMap<>(Map.of("metal3.io/uuid", "u-1")), null);

        assertThat(AgentFields.patch(agent, settings).get("spec"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("nodeLabels", Map.of("metal3.io/uuid", "u-1"));
    }

    @Test
    void nameDiskAndPool_areSetWhereTheyAreAskedFor() {
        AgentSettings settings =
                new AgentSettings("worker", "host-1", "IGN", "[]", "infra", new TreeMap<>(), "/dev/disk/by-id/1");

        assertThat(AgentFields.patch(agent(Map.of("approved", true)), settings))
                .isEqualTo(Map.of(
                        "metadata",
                        NODE_STAYS,
                        "spec",
                        Map.of(
                                "role", "worker",
                                "hostname", "host-1",
                                "ignitionConfigOverrides", "IGN",
                                "machineConfigPool", "infra",
                                "installation_disk_id", "/dev/disk/by-id/1")));
    }

    private static AgentSettings settings(OpenshiftAssistedConfigSpec spec) {
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder().withName("m").build());
        return AgentSettings.of(spec, machine, HostHints.NONE, "IGN", null);
    }

    private static Agent agent(Map<String, Object> spec) {
        Agent agent = new Agent();
        agent.setMetadata(new ObjectMetaBuilder().withName("a").build());
        agent.setAdditionalProperty("spec", new HashMap<>(spec));
        return agent;
    }

    private static OpenshiftAssistedConfigSpec spec(String yaml) {
        return Serialization.unmarshal(yaml, OpenshiftAssistedConfigSpec.class);
    }
}
