package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Finalizers;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.MissingMachines.Missing;
import io.capoa.controlplane.testing.Objects;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which Machines are created, and what they look like. */
class MachinesTest {

    private static final ControlPlaneIdentity IDENTITY = Objects.identity(
            "{kubectl.kubernetes.io/last-applied-configuration: x, cluster.x-k8s.io/paused: '', "
                    + "openshiftassistedconfig.cluster.x-k8s.io/ignition-override: '{}'}",
            "");

    private static final InfrastructureReference REFERENCE =
            IDENTITY.controlPlane().getSpec().machineTemplate().spec().infrastructureRef();

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
    void missingMachines_areSpreadOverAllDomains_withDeterministicNames() {
        List<Missing> missing =
                MissingMachines.of(IDENTITY, DOMAINS, new Action.Create(3), List.of(), List.of(), false);
        assertThat(missing).extracting(Missing::failureDomain).containsExactly("a", "b", "c");
        assertThat(missing)
                .extracting(Missing::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("cp-[a-z0-9]{5}"));
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, new Action.Create(3), List.of(), List.of(), false))
                .isEqualTo(missing);
    }

    @Test
    void aRetriedInstallation_usesOtherNames_whichAreOwnWhateverTheRequestIsLater() {
        List<String> names = new ArrayList<>();
        for (String annotations : List.of("{}", "1", "2", "1764170000")) {
            ControlPlaneIdentity identity = Objects.identity(
                    annotations.equals("{}")
                            ? annotations
                            : "{" + Annotations.RETRY_INSTALL + ": '" + annotations + "'}",
                    "");
            MissingMachines.of(identity, DOMAINS, new Action.Create(3), List.of(), List.of(), false)
                    .forEach(missing -> names.add(missing.name()));
        }

        assertThat(names).hasSize(12).doesNotHaveDuplicates().allMatch(name -> MachineName.isOwn(IDENTITY, name));
    }

    @Test
    void namesFollowTheTemplate_andMachinesOfAnEarlierOneAreStillOwn() {
        ControlPlaneIdentity named = Objects.identity(
                "{}",
                "",
                "replicas: 3\nmachineNaming: {template: '{{ .cluster.name }}-{{.controlPlane.name}}-{{ .random }}'}");
        String name = MachineName.of(named, 0);
        assertThat(name).matches("one-cp-[a-z0-9]{5}");
        assertThat(MachineName.isOwn(named, MachineName.of(IDENTITY, 0))).isTrue();
        assertThat(MachineName.isOwn(IDENTITY, name)).isTrue();
        assertThat(MachineName.isOwn(named, "one-cp-other")).isFalse();
        Machine earlier = ControlPlaneMachine.desired(IDENTITY, new Missing(MachineName.of(IDENTITY, 0), "a", false));
        assertThat(MissingMachines.of(named, DOMAINS, new Action.Create(1), List.of(earlier), List.of(), false))
                .extracting(Missing::name)
                .containsExactly(MachineName.of(named, 1));
        assertThat(MachineName.laterUsed(named, Set.of(MachineName.later(IDENTITY, 2))))
                .isEqualTo(3);
    }

    @Test
    void aLongNameIsCutBeforeItsEnd() {
        ControlPlaneIdentity named = Objects.identity(
                "{}", "", "replicas: 3\nmachineNaming: {template: '" + "r".repeat(80) + "-{{ .random }}'}");
        assertThat(MachineName.of(named, 0)).hasSize(63).matches("r{57}-[a-z0-9]{5}");
    }

    @Test
    void aConfigLeftByACrash_isCompletedFirst() {
        String begun = MachineName.of(IDENTITY, 7);
        OpenshiftAssistedConfig config = BootstrapConfig.desired(IDENTITY, begun, false);
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, new Action.Create(3), List.of(), List.of(config), false))
                .extracting(Missing::name)
                .containsExactly(begun, MachineName.of(IDENTITY, 0), MachineName.of(IDENTITY, 1));
    }

    @Test
    void namesInUse_areNotUsedAgain() {
        Machine first = ControlPlaneMachine.desired(IDENTITY, new Missing(MachineName.of(IDENTITY, 0), "a", false));
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, new Action.Create(2), List.of(first), List.of(), false))
                .containsExactly(
                        new Missing(MachineName.of(IDENTITY, 1), "b", false),
                        new Missing(MachineName.of(IDENTITY, 2), "c", false));
    }

    @Test
    void afterTheInstallation_namesAreNotReused() {
        Machine first = ControlPlaneMachine.desired(IDENTITY, new Missing(MachineName.of(IDENTITY, 0), "a", false));
        String replacement = later(IDENTITY, List.of(first));
        assertThat(replacement)
                .isNotIn(MachineName.of(IDENTITY, 0), MachineName.of(IDENTITY, 1), MachineName.of(IDENTITY, 2))
                .isEqualTo(later(IDENTITY, List.of(first)));

        Machine replacing = ControlPlaneMachine.desired(IDENTITY, new Missing(replacement, "a", false));
        assertThat(later(IDENTITY, List.of(first, replacing))).isNotEqualTo(replacement);
        assertThat(MissingMachines.namesToRecord(IDENTITY, Set.of(replacement)))
                .isEqualTo(Map.of("metadata", Map.of("annotations", Map.of(Annotations.LATER_NAMES_USED, "1"))));
        assertThat(MissingMachines.namesToRecord(IDENTITY, Set.of(MachineName.of(IDENTITY, 0))))
                .isEmpty();

        ControlPlaneIdentity remembering = Objects.identity("{" + Annotations.LATER_NAMES_USED + ": '1'}", "");
        assertThat(later(remembering, List.of(first)))
                .as("although the Machine is gone by now")
                .isNotEqualTo(replacement);
        assertThat(MissingMachines.namesToRecord(remembering, Set.of(replacement)))
                .isEmpty();
    }

    @Test
    void afterTheInstallation_aConfigLeftByACrashIsCompleted_butNotUnderAUsedName() {
        OpenshiftAssistedConfig begun = BootstrapConfig.desired(IDENTITY, MachineName.later(IDENTITY, 1), false);
        OpenshiftAssistedConfig left = BootstrapConfig.desired(IDENTITY, MachineName.of(IDENTITY, 0), false);
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, new Action.Create(1), List.of(), List.of(begun, left), true))
                .extracting(Missing::name)
                .containsExactly(MachineName.later(IDENTITY, 1));
        assertThat(MissingMachines.of(IDENTITY, DOMAINS, new Action.Create(1), List.of(), List.of(left), true))
                .extracting(Missing::name)
                .containsExactly(MachineName.later(IDENTITY, 0));
    }

    private static String later(ControlPlaneIdentity identity, List<Machine> machines) {
        return MissingMachines.of(identity, DOMAINS, new Action.Create(1), machines, List.of(), true)
                .getFirst()
                .name();
    }

    @Test
    void anInfrastructureMachineOfAnotherTemplate_orOwner_isNotTakenOver() {
        GenericKubernetesResource template = new GenericKubernetesResource();
        template.setApiVersion("infrastructure.cluster.x-k8s.io/v1beta2");
        GenericKubernetesResource desired = InfrastructureMachine.desired(IDENTITY, REFERENCE, template, "cp-x");
        GenericKubernetesResource earlier = InfrastructureMachine.desired(IDENTITY, REFERENCE, template, "cp-x");
        assertThat(InfrastructureMachine.isMadeLike(IDENTITY, earlier, desired)).isTrue();
        earlier.getMetadata().getAnnotations().put(Annotations.CLONED_FROM_NAME, "older-template");
        assertThat(InfrastructureMachine.isMadeLike(IDENTITY, earlier, desired)).isFalse();
        GenericKubernetesResource foreign = InfrastructureMachine.desired(IDENTITY, REFERENCE, template, "cp-x");
        foreign.getMetadata().setOwnerReferences(List.of());
        foreign.getMetadata().setLabels(Map.of());
        assertThat(InfrastructureMachine.isMadeLike(IDENTITY, foreign, desired)).isFalse();
    }

    @Test
    void theOnlyMachine_isDrainedAtOnce() {
        assertThat(DeletionHooks.wanted(3)).containsExactlyElementsOf(DeletionHooks.ALL);
        assertThat(DeletionHooks.wanted(1)).containsExactly(Annotations.PRE_TERMINATE_HOOK);
        assertThat(DeletionHooks.wanted(null)).containsExactly(Annotations.PRE_TERMINATE_HOOK);
    }

    @Test
    void aMachine_hasWhatTheContractRequires() {
        Machine machine = ControlPlaneMachine.desired(IDENTITY, new Missing("cp-x", "a", false));
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
                        Map.entry(Annotations.PRE_DRAIN_HOOK, ""),
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
    void aConfig_hasTheControlPlanesLabels_andOnlyAnnotationsWithItsPrefix() {
        OpenshiftAssistedConfig config = BootstrapConfig.desired(IDENTITY, "cp-x", false);
        assertThat(config.getMetadata().getLabels())
                .containsEntry("team", "blue")
                .containsEntry(Labels.CLUSTER_NAME, "one");
        assertThat(config.getMetadata().getAnnotations())
                .containsOnly(Map.entry("note", "hello"), Map.entry(Annotations.IGNITION_OVERRIDE, "{}"));
        assertThat(config.getMetadata().getFinalizers()).containsExactly(Finalizers.CONFIG);
    }
}
