package io.capoa.controlplane.workload.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.health.Generic;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a Node and the MachineConfigPools say about its update. */
class NodeUpdateReadingTest {

    private static final String MCO = "machineconfiguration.openshift.io/";

    private static GenericKubernetesResource node(String state, String current, String desired) {
        return Generic.of(new NodeBuilder()
                .withNewMetadata()
                .addToLabels("node-role.kubernetes.io/worker", "")
                .addToLabels("node-role.kubernetes.io/infra", "")
                .addToAnnotations(
                        Map.of(MCO + "state", state, MCO + "currentConfig", current, MCO + "desiredConfig", desired))
                .addToAnnotations(MCO + "reason", "disk full")
                .endMetadata()
                .withNewStatus()
                .withNewNodeInfo()
                .withKubeletVersion("v1.34.1")
                .endNodeInfo()
                .endStatus()
                .build());
    }

    private static GenericKubernetesResource pool(String name, boolean paused) {
        GenericKubernetesResource pool = new GenericKubernetesResource();
        pool.setMetadata(new ObjectMetaBuilder().withName(name).build());
        pool.setAdditionalProperties(Map.of(
                "spec",
                Map.of(
                        "paused",
                        paused,
                        "nodeSelector",
                        Map.of("matchLabels", Map.of("node-role.kubernetes.io/" + name, "")))));
        return pool;
    }

    @Test
    void aNodeIsSettled_whenItsDesiredConfigurationIsDone() {
        assertThat(NodeUpdateReading.of(node("Done", "a", "a"), List.of()))
                .isEqualTo(new NodeUpdate("", true, "v1.34.1", true, "", ""));
        assertThat(NodeUpdateReading.of(node("Working", "a", "a"), List.of()).settled())
                .isFalse();
        assertThat(NodeUpdateReading.of(node("Done", "a", "b"), List.of()).settled())
                .isFalse();
        assertThat(NodeUpdateReading.of(node("Done", "", ""), List.of()).settled())
                .isFalse();
    }

    @Test
    void aFailure_isQuotedWithItsReason() {
        assertThat(NodeUpdateReading.of(node("Degraded", "a", "b"), List.of()).failure())
                .isEqualTo("Degraded: disk full");
    }

    @Test
    void aNodeWithoutStatusAndAnnotations_isNotSettled() {
        GenericKubernetesResource bare =
                Generic.of(new NodeBuilder().withNewMetadata().endMetadata().build());
        assertThat(NodeUpdateReading.of(bare, List.of(pool("worker", true))))
                .isEqualTo(new NodeUpdate("", true, "", false, "", ""));
    }

    @Test
    void theCustomPoolOfANode_hidesPoolWorker() {
        GenericKubernetesResource node = node("Done", "a", "a");
        assertThat(NodeUpdateReading.of(node, List.of(pool("worker", true), pool("master", true)))
                        .pausedPool())
                .isEqualTo("worker");
        assertThat(NodeUpdateReading.of(node, List.of(pool("worker", true), pool("infra", false)))
                        .pausedPool())
                .isEmpty();
        assertThat(NodeUpdateReading.of(node, List.of(pool("worker", false), pool("infra", true)))
                        .pausedPool())
                .isEqualTo("infra");
    }
}
