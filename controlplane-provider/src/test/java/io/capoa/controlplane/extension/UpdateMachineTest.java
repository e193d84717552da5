package io.capoa.controlplane.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.controlplane.workload.upgrade.NodeUpdate;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the update of a Machine is done, and what it waits for. */
class UpdateMachineTest {

    private final Hooks hooks = new Hooks();

    private JsonNode call(String version) {
        return hooks.call(Hook.UPDATE_MACHINE, Hooks.request(Hook.UPDATE_MACHINE, """
                        "desired":{"machine":{"metadata":{"name":"m","namespace":"ns"},
                          "spec":{"clusterName":"multinode","version":"%s"}}}""".formatted(version)));
    }

    private void assertDone(String version) {
        JsonNode response = call(version);
        assertThat(response.path("status").asText()).isEqualTo("Success");
        assertThat(response.path("retryAfterSeconds").asInt()).isZero();
    }

    private String waitsFor(String version) {
        JsonNode response = call(version);
        assertThat(response.path("status").asText()).isEqualTo("Success");
        assertThat(response.path("retryAfterSeconds").asInt()).isPositive();
        assertThat(call(version)).as("the same message each time").isEqualTo(response);
        return response.path("message").asText();
    }

    private void node(String kubelet, boolean settled, String failure, String pausedPool) {
        hooks.node = new NodeUpdate("", true, kubelet, settled, failure, pausedPool);
    }

    @Test
    void aNodeOfTheVersionWhoseConfigurationIsApplied_isDone() {
        assertDone("v1.34.1");
        assertDone("1.34.1");
    }

    @Test
    void aNodeOfALaterVersion_isDone_becauseTheClusterHasGoneOn() {
        assertDone("v1.33.5");
    }

    @Test
    void aMachineThatDoesNotExist_isDone() {
        hooks.machine = Optional.empty();
        assertDone("v1.35.0");
    }

    @Test
    void anOlderNode_waitsForTheOperator_orForTheControlPlane() {
        node("v1.33.5", true, "", "");
        assertThat(waitsFor("v1.34.1"))
                .isEqualTo("Machine ns/m: Node node-1 runs v1.33.5, the machine-config operator updates it to v1.34.1");
        hooks.controlPlaneVersion = Optional.of("v1.33.5");
        assertThat(waitsFor("v1.34.1"))
                .contains("the control plane runs v1.33.5, before v1.34.1")
                .contains("spec.distributionVersion");
    }

    @Test
    void aConfigurationThatIsBeingApplied_isWaitedFor() {
        node("v1.34.1", false, "", "");
        assertThat(waitsFor("v1.34.1")).contains("applies a configuration to Node node-1");
    }

    @Test
    void aPausedPool_isNamed() {
        node("v1.33.5", true, "", "worker");
        assertThat(waitsFor("v1.34.1"))
                .contains("MachineConfigPool worker is paused")
                .contains("end the pause");
    }

    @Test
    void aFailureOfTheOperator_isQuoted() {
        node("v1.33.5", false, "Degraded: disk full", "");
        assertThat(waitsFor("v1.34.1")).contains("(Degraded: disk full)").contains("repair the node");
    }

    @Test
    void whatCannotBeRead_isNamed() {
        hooks.node = NodeUpdate.unreachable("no connection");
        assertThat(waitsFor("v1.34.1")).contains("cannot be read: no connection");
        hooks.node = NodeUpdate.missing();
        assertThat(waitsFor("v1.34.1")).contains("has no Node node-1");
        hooks.kubeconfig = Optional.empty();
        assertThat(waitsFor("v1.34.1")).contains("multinode-kubeconfig");
        hooks.machine = Optional.of(Hooks.on("multinode", ""));
        assertThat(waitsFor("v1.34.1")).contains("has no Node yet");
    }

    @Test
    void aMachineOfAnotherClusterThanTheRequestSays_isAnError() {
        hooks.machine = Optional.of(Hooks.on("other", "node-1"));
        assertThat(call("v1.34.1").path("message").asText()).endsWith("Machine ns/m is of another Cluster");
    }

    @Test
    void aMachineOfAnotherControlPlane_isAnError() {
        JsonNode response = hooks.call(Hook.UPDATE_MACHINE, Hooks.request(Hook.UPDATE_MACHINE, """
                        "desired":{"machine":{"metadata":{"name":"m","namespace":"ns"},
                          "spec":{"clusterName":"other","version":"v1.34.1"}}}"""));
        assertThat(response.path("status").asText()).isEqualTo("Failure");
        assertThat(response.path("message").asText()).contains("desired.machine.spec.clusterName is other");
    }

    /** An unauthenticated caller gets the same answer until the update is done, whether the objects exist or not. */
    @Test
    void aCallerThatNobodyKnows_learnsNothingButWhetherTheUpdateIsDone() {
        Hooks strangers = new Hooks(false);
        assertThat(told(strangers, "multinode", "v1.34.1")).isEqualTo("Success 0 ");
        String notDone = told(strangers, "nowhere", "v1.34.1");
        assertThat(notDone).startsWith("Success 20 Machine ns/m: the update is not done; the log of");

        strangers.node = new NodeUpdate("", true, "v1.33.5", false, "Degraded: disk full", "worker");
        assertThat(told(strangers, "multinode", "v1.34.1")).isEqualTo(notDone);
        strangers.node = NodeUpdate.unreachable("no connection to 192.0.2.1");
        assertThat(told(strangers, "multinode", "v1.34.1")).isEqualTo(notDone);
        strangers.kubeconfig = Optional.empty();
        assertThat(told(strangers, "multinode", "v1.34.1")).isEqualTo(notDone);
        strangers.machine = Optional.of(Hooks.on("other", "node-1"));
        assertThat(told(strangers, "multinode", "v1.34.1")).isEqualTo(notDone);
        strangers.machine = Optional.empty();
        assertThat(told(strangers, "multinode", "v1.34.1")).isEqualTo(notDone);
    }

    private static String told(Hooks hooks, String cluster, String version) {
        JsonNode response =
                hooks.call(Hook.UPDATE_MACHINE, Hooks.request(Hook.UPDATE_MACHINE, """
                        "desired":{"machine":{"metadata":{"name":"m","namespace":"ns"},
                          "spec":{"clusterName":"%s","version":"%s"}}}""".formatted(cluster, version)));
        return response.path("status").asText() + " "
                + response.path("retryAfterSeconds").asInt() + " "
                + response.path("message").asText();
    }
}
