package io.capoa.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineHealthTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Map<String, Object> NODE_CHECK = Map.of(
            "unhealthyNodeConditions", List.of(Map.of("type", "Ready", "status", "Unknown", "timeoutSeconds", 300)));

    @Test
    void aNodeMayBeUnknownForTheTimeout() {
        MachineHealth.Verdict waits = judge(NODE_CHECK, running(Map.of()), Optional.of(unknownFor(100)));
        MachineHealth.Verdict failed = judge(NODE_CHECK, running(Map.of()), Optional.of(unknownFor(300)));

        assertThat(waits.isHealthy()).isTrue();
        assertThat(waits.again()).contains(Duration.ofSeconds(200));
        assertThat(failed.reason()).isEqualTo("UnhealthyNode");
        assertThat(failed.message()).contains("Condition Ready on Node is reporting status Unknown for more than PT5M");
    }

    @Test
    void aDeletedNode_isUnhealthyAtOnce() {
        assertThat(judge(Map.of(), running(Map.of()), Optional.empty()).reason())
                .isEqualTo("NodeDeleted");
    }

    @Test
    void withoutANode_theStartupTimeoutCounts_fromTheLastPrerequisite() {
        assertThat(judge(Map.of(), machine(Map.of(), Map.of()), Optional.empty()))
                .satisfies(verdict -> assertThat(verdict.isHealthy()).isTrue())
                .satisfies(verdict -> assertThat(verdict.again()).contains(Duration.ofMinutes(5)));
        assertThat(judge(Map.of("nodeStartupTimeoutSeconds", 200), machine(Map.of(), Map.of()), Optional.empty())
                        .reason())
                .isEqualTo("NodeStartupTimeout");
        assertThat(judge(Map.of("nodeStartupTimeoutSeconds", 0), machine(Map.of(), Map.of()), Optional.empty()))
                .isEqualTo(new MachineHealth.Verdict("", "", Optional.empty()));
    }

    @Test
    void beforeTheControlPlaneIsInitialized_onlyItsOwnMachinesAreJudged() {
        Map<String, Object> checks = Map.of("nodeStartupTimeoutSeconds", 60);
        Cluster cluster = cluster(false);

        assertThat(new MachineHealth(check(checks), cluster, NOW)
                        .of(machine(Map.of(), Map.of()), Optional.empty())
                        .isHealthy())
                .isTrue();
        Machine master = machine(Map.of(), Map.of());
        master.getMetadata().setLabels(Map.of(Contract.CONTROL_PLANE, ""));
        assertThat(new MachineHealth(check(checks), cluster, NOW)
                        .of(master, Optional.empty())
                        .reason())
                .isEqualTo("NodeStartupTimeout");
    }

    @Test
    void theAnnotationAsksForRemediation_andMachineConditionsAreChecked() {
        Machine marked = machine(Map.of(Contract.REMEDIATE_MACHINE, ""), Map.of());
        Machine late = running(Map.of(
                "conditions",
                List.of(Map.of("type", "Slow", "status", "True", "lastTransitionTime", "2026-01-01T11:00:00Z"))));
        Map<String, Object> checks = Map.of(
                "unhealthyMachineConditions", List.of(Map.of("type", "Slow", "status", "True", "timeoutSeconds", 60)));

        assertThat(judge(Map.of(), marked, Optional.empty()).reason()).isEqualTo("HasRemediateAnnotation");
        assertThat(judge(checks, late, Optional.of(unknownFor(1))).reason()).isEqualTo("UnhealthyMachine");
    }

    private static MachineHealth.Verdict judge(Map<String, Object> checks, Machine machine, Optional<Node> node) {
        return new MachineHealth(check(checks), cluster(true), NOW).of(machine, node);
    }

    private static MachineHealthCheck check(Map<String, Object> checks) {
        MachineHealthCheck check = new MachineHealthCheck();
        check.setAdditionalProperties(Map.of("spec", Map.of("checks", checks)));
        return check;
    }

    /** Its infrastructure has been ready for five minutes. */
    private static Cluster cluster(boolean initialized) {
        Cluster cluster = new Cluster();
        cluster.setAdditionalProperties(Map.of(
                "status",
                Map.of(
                        "initialization",
                        Map.of("infrastructureProvisioned", true, "controlPlaneInitialized", initialized),
                        "conditions",
                        List.of(Map.of(
                                "type",
                                "InfrastructureReady",
                                "status",
                                "True",
                                "lastTransitionTime",
                                "2026-01-01T11:55:00Z")))));
        return cluster;
    }

    private static Machine running(Map<String, Object> status) {
        Map<String, Object> all = new java.util.TreeMap<>(status);
        all.put("nodeRef", Map.of("name", "n"));
        return machine(Map.of(), all);
    }

    private static Machine machine(Map<String, String> annotations, Map<String, Object> status) {
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder()
                .withName("m")
                .withAnnotations(annotations)
                .withCreationTimestamp("2026-01-01T10:00:00Z")
                .build());
        machine.setAdditionalProperties(Map.of("status", status));
        return machine;
    }

    private static Node unknownFor(int seconds) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("Unknown")
                .withLastTransitionTime(NOW.minusSeconds(seconds).toString())
                .endCondition()
                .endStatus()
                .build();
    }
}
