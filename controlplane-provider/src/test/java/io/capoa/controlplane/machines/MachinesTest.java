package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Finalizers;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.MissingMachines.Missing;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which Machines are created, and what they look like. */
class MachinesTest {

    private static final ControlPlaneIdentity IDENTITY = Objects.identity(
            "{kubectl.kubernetes.io/last-applied-configuration: x, cluster.x-k8s.io/paused: '', "
                    + "openshiftassistedconfig.cluster.x-k8s.io/ignition-override: '{}'}",
            "");

    private static final Cluster DOMAINS = Objects.read(Cluster.class, """
            metadata: {name: one}
            status:
              failureDomains:
              - {name: c, controlPlane: true}
              - {name: a, controlPlane: true}
              - {name: b, controlPlane: true}
              - {name: workers, controlPlane: false}
            """);

    @Test
    void allMissingMachinesAtOnce_overAllDomains_underNamesThatComeOutTheSameAgain() {
        List<Missing> missing = MissingMachines.of(IDENTITY, DOMAINS, 3, List.of(), List.of());
        assertThat(missing).extracting(Missing::failureDomain).containsExactly("a", "b", "c");
        assertThat(missing)
                .extracting(Missing::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("cp-[a-z0-9]{5}"));
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, 3, List.of(), List.of()))
                .isEqualTo(missing);
    }

    @Test
    void whatACrashLeftBehind_isCompletedFirst() {
        String begun = MachineName.of(IDENTITY, 7);
        OpenshiftAssistedConfig config = BootstrapConfig.desired(IDENTITY, begun);
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, 3, List.of(), List.of(config)))
                .extracting(Missing::name)
                .containsExactly(begun, MachineName.of(IDENTITY, 0), MachineName.of(IDENTITY, 1));
    }

    @Test
    void namesInUse_areNotUsedAgain() {
        Machine first = ControlPlaneMachine.desired(IDENTITY, new Missing(MachineName.of(IDENTITY, 0), "a"));
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, 2, List.of(first), List.of()))
                .containsExactly(
                        new Missing(MachineName.of(IDENTITY, 1), "b"), new Missing(MachineName.of(IDENTITY, 2), "c"));
    }

    @Test
    void aMachineCarriesWhatTheContractAsks() {
        Machine machine = ControlPlaneMachine.desired(IDENTITY, new Missing("cp-x", "a"));
        assertThat(machine.getMetadata().getLabels())
                .containsOnly(
                        Map.entry(Labels.CLUSTER_NAME, "one"),
                        Map.entry(Labels.CONTROL_PLANE, ""),
                        Map.entry(Labels.CONTROL_PLANE_NAME, "cp"),
                        Map.entry("tier", "cp"));
        assertThat(machine.getMetadata().getAnnotations())
                .containsOnly(
                        Map.entry("note", "hello"),
                        Map.entry(Annotations.BMAC_ROLE, "master"),
                        Map.entry(Annotations.PRE_TERMINATE_HOOK, ""));
        assertThat(machine.getMetadata().getOwnerReferences()).singleElement().matches(owner -> owner.getController());
        assertThat(Fields.map(machine, "spec"))
                .containsEntry("clusterName", "one")
                .containsEntry("failureDomain", "a")
                .containsEntry("deletion", Map.of("nodeDrainTimeoutSeconds", 60))
                .containsEntry("readinessGates", List.of(Map.of("conditionType", "Gate")))
                .containsEntry("taints", List.of(Map.of("key", "a", "effect", "NoSchedule", "propagation", "Always")))
                .containsEntry(
                        "infrastructureRef",
                        Map.of("apiGroup", "infrastructure.cluster.x-k8s.io", "kind", "Metal3Machine", "name", "cp-x"));
    }

    @Test
    void aConfigTakesTheControlPlanesLabels_andOnlyTheAnnotationsMeantForIt() {
        OpenshiftAssistedConfig config = BootstrapConfig.desired(IDENTITY, "cp-x");
        assertThat(config.getMetadata().getLabels())
                .containsEntry("team", "blue")
                .containsEntry(Labels.CLUSTER_NAME, "one");
        assertThat(config.getMetadata().getAnnotations())
                .containsOnly(Map.entry("note", "hello"), Map.entry(Annotations.IGNITION_OVERRIDE, "{}"));
        assertThat(config.getMetadata().getFinalizers()).containsExactly(Finalizers.CONFIG);
    }
}
