package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The control plane's Machines and counters. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class ControlPlaneMachinesTest {

    @Test
    void machinesAndConfigs_followTheTemplateAndTheUser_withOneInEachFailureDomain(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.cluster();
            peers.infrastructure(true, List.of("left", "middle", "right"));
            peers.onlyControlPlane("""
                metadata:
                  labels: {team: blue, cluster.x-k8s.io/cluster-name: forged}
                  annotations:
                    kubectl.kubernetes.io/last-applied-configuration: '{}'
                spec:
                  machineTemplate:
                    metadata:
                      labels: {rack: a, cluster.x-k8s.io/cluster-name: forged}
                      annotations: {note: b}
                """);
            scene.untilHostsAreAwaited();

            assertThat(peers.machines())
                    .extracting(machine -> Fields.string(machine, "spec", "failureDomain"))
                    .containsExactlyInAnyOrder("left", "middle", "right");
            for (Machine machine : peers.machines()) {
                String name = machine.getMetadata().getName();
                assertThat(name).startsWith("one-");
                assertThat(machine.getMetadata().getLabels())
                        .containsEntry("cluster.x-k8s.io/cluster-name", "one")
                        .containsEntry("cluster.x-k8s.io/control-plane", "")
                        .containsEntry("cluster.x-k8s.io/control-plane-name", "one")
                        .containsEntry("rack", "a");
                assertThat(machine.getMetadata().getAnnotations())
                        .containsEntry("bmac.agent-install.openshift.io/role", "master")
                        .containsEntry("note", "b");
                assertThat(Fields.map(machine, "spec", "bootstrap", "configRef"))
                        .isEqualTo(Map.of(
                                "apiGroup",
                                "bootstrap.cluster.x-k8s.io",
                                "kind",
                                "OpenshiftAssistedConfig",
                                "name",
                                name));
                OpenshiftAssistedConfig config = peers.client
                        .resources(OpenshiftAssistedConfig.class)
                        .inNamespace(peers.namespace)
                        .withName(name)
                        .require();
                assertThat(config.getMetadata().getLabels())
                        .containsEntry("team", "blue")
                        .containsEntry("cluster.x-k8s.io/cluster-name", "one");
                assertThat(config.getMetadata().getAnnotations())
                        .doesNotContainKey("kubectl.kubernetes.io/last-applied-configuration");
                var host = peers.client
                        .genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", "Metal3Machine")
                        .inNamespace(peers.namespace)
                        .withName(name)
                        .require();
                assertThat(host.getMetadata().getAnnotations())
                        .containsEntry("cluster.x-k8s.io/cloned-from-name", "one-controlplane")
                        .containsEntry(
                                "cluster.x-k8s.io/cloned-from-groupkind",
                                "Metal3MachineTemplate.infrastructure.cluster.x-k8s.io");
            }
        }
    }

    @Test
    void countersFollowTheMachines(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            assertThat(scene.status().readyReplicas()).isZero();
            peers.machines().subList(0, 2).forEach(machine -> peers.ready(machine, true));
            within(() -> scene.status().readyReplicas() == 2 && scene.status().availableReplicas() == 2);
            assertThat(scene.isTrue("MachinesReady")).isFalse();
            peers.ready(peers.machines().get(2), true);
            within(() -> scene.status().readyReplicas() == 3 && scene.isTrue("MachinesReady"));
            peers.machines().forEach(machine -> peers.ready(machine, false));
            within(() -> scene.status().readyReplicas() == 0 && !scene.isTrue("MachinesReady"));
            assertThat(scene.status().replicas()).isEqualTo(3);
            assertThat(scene.status().selector()).contains("cluster.x-k8s.io/control-plane-name=one");
        }
    }

    @Test
    void anotherConfig_makesTheMachinesOutOfDate_andSaysWhy(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            within(() -> Integer.valueOf(3).equals(scene.status().upToDateReplicas()));

            // A setting of the discovery, which running nodes need not be installed again for.
            peers.edit("spec: {openshiftAssistedConfigSpec: {kernelArguments: [{operation: append, value: quiet}]}}");
            within(() -> peers.current()
                    .getMetadata()
                    .getGeneration()
                    .equals(scene.status().observedGeneration()));
            assertThat(scene.status().upToDateReplicas()).isEqualTo(3);

            peers.edit("spec: {openshiftAssistedConfigSpec: {nodeLabels: {rack: b}}}");

            within(() -> Integer.valueOf(0).equals(scene.status().upToDateReplicas()));
            assertThat(scene.status().replicas()).isEqualTo(3);
            assertThat(peers.machines()).allSatisfy(machine -> {
                ConditionView upToDate = ConditionView.of(machine, "UpToDate").orElseThrow();
                assertThat(upToDate.status()).isEqualTo("False");
                assertThat(upToDate.reason()).isEqualTo("NotUpToDate");
                assertThat(upToDate.message()).isNotEmpty();
            });
            assertThat(scene.isTrue("MachinesUpToDate")).isFalse();
        }
    }

    @Test
    void anotherTemplate_andALostConfig_areNamedAsReasons_andTimeoutsReachMachinesInPlace(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            within(() -> Integer.valueOf(3).equals(scene.status().upToDateReplicas()));
            peers.edit("spec: {machineTemplate: {spec: {deletion: {nodeDrainTimeoutSeconds: 77}}}}");
            within(() -> peers.machines().stream()
                    .allMatch(machine -> Integer.valueOf(77)
                            .equals(Fields.integer(machine, "spec", "deletion", "nodeDrainTimeoutSeconds"))));
            assertThat(scene.status().upToDateReplicas()).isEqualTo(3);

            peers.edit("spec: {machineTemplate: {spec: {infrastructureRef: {name: larger}}}}");
            within(() -> upToDate(peers.machines().get(0)).contains("larger"));
            assertThat(upToDate(peers.machines().get(0)))
                    .contains("Metal3MachineTemplate one-controlplane", "spec.machineTemplate.spec.infrastructureRef");
            within(() -> scene.message("MachinesUpToDate").contains("larger"));
            peers.edit("spec: {machineTemplate: {spec: {infrastructureRef: {name: one-controlplane}}}}");
            within(() -> Integer.valueOf(3).equals(scene.status().upToDateReplicas()));

            String lost = peers.machines().get(0).getMetadata().getName();
            OpenshiftAssistedConfig config = peers.client
                    .resources(OpenshiftAssistedConfig.class)
                    .inNamespace(peers.namespace)
                    .withName(lost)
                    .require();
            peers.merge(config, "{\"metadata\":{\"finalizers\":null}}");
            peers.client.resource(config).delete();
            within(() -> upToDate(peers.machines().get(0)).contains(lost + " does not exist"));
            within(() -> scene.message("MachinesUpToDate").contains("Machine " + lost));
        }
    }

    @Test
    void anInfrastructureMachineThatIsBeingDeleted_isNotUsedForANewMachine(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine gone = peers.machines().get(0);
            String name = gone.getMetadata().getName();
            var host = peers.client
                    .genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", "Metal3Machine")
                    .inNamespace(peers.namespace)
                    .withName(name);
            peers.merge(host.require(), "{\"metadata\":{\"finalizers\":[\"lab.capoa.io/held\"]}}");
            host.delete();
            OpenshiftAssistedConfig config = peers.client
                    .resources(OpenshiftAssistedConfig.class)
                    .inNamespace(peers.namespace)
                    .withName(name)
                    .require();
            peers.merge(config, "{\"metadata\":{\"finalizers\":null}}");
            peers.client.resource(config).delete();
            peers.client.resource(gone).delete();

            within(() -> scene.message("MachinesCreated").contains("Metal3Machine " + name + " of an earlier Machine"));
            assertThat(peers.machines()).hasSize(2);

            peers.merge(host.require(), "{\"metadata\":{\"finalizers\":null}}");
            within(() -> peers.machines().size() == 3 && scene.isTrue("MachinesCreated"));
            assertThat(host.require().getMetadata().getDeletionTimestamp()).isNull();
        }
    }

    @Test
    void anInfrastructureMachineOfAnotherTemplate_isNotTakenOver_untilItIsDeleted(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine gone = peers.machines().get(0);
            String name = gone.getMetadata().getName();
            var host = peers.client
                    .genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", "Metal3Machine")
                    .inNamespace(peers.namespace)
                    .withName(name);
            peers.merge(
                    host.require(),
                    "{\"metadata\":{\"annotations\":{\"%s\":\"older-template\"}}}"
                            .formatted(Annotations.CLONED_FROM_NAME));
            peers.client.resource(gone).delete();

            within(() -> scene.message("MachinesCreated").contains("Metal3Machine " + name)
                    && scene.message("MachinesCreated").contains("older-template"));
            assertThat(peers.machines()).hasSize(2);

            host.delete();
            within(() -> peers.machines().size() == 3 && scene.isTrue("MachinesCreated"));
            assertThat(host.require().getMetadata().getAnnotations())
                    .doesNotContainEntry(Annotations.CLONED_FROM_NAME, "older-template");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void editsAtTheMomentOfAStatusWrite_areNotLost(int first, RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared)) {
            ControlPlanePeers peers = scene.peers;
            for (int round = first; round < 30; round += 3) {
                String value = "r" + round;
                boolean ready = round % 2 == 0;
                // Causes a status write; the edit happens at a different point each time.
                peers.machines().forEach(machine -> peers.ready(machine, ready));
                LockSupport.parkNanos(Duration.ofMillis(7L * round).toNanos());
                peers.edit("spec: {machineTemplate: {metadata: {labels: {round: %s}}}}".formatted(value));
                within(() -> peers.machines().stream()
                        .allMatch(machine ->
                                value.equals(machine.getMetadata().getLabels().get("round"))));
            }
        }
    }

    private static String upToDate(Machine machine) {
        return ConditionView.of(machine, "UpToDate").map(ConditionView::message).orElse("");
    }

    @Test
    void aPausedControlPlane_saysSo_andDoesNothing_untilItIsNot(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            scene.peers.controlPlane("metadata: {annotations: {cluster.x-k8s.io/paused: ''}}");
            within(() -> scene.isTrue("Paused"));
            assertThat(scene.peers.machines()).isEmpty();
            assertThat(scene.peers.deployment()).isNull();

            scene.peers.edit("metadata: {annotations: {cluster.x-k8s.io/paused: null}}");
            scene.untilHostsAreAwaited();
            assertThat(scene.is("Paused", "False")).isTrue();
        }
    }

    @Test
    void withoutInfrastructureOrEndpoint_theConditionSaysWhatIsAwaited(RunningControlPlane shared) {
        try (ControlPlaneScene scene = ControlPlaneScene.of(shared)) {
            ControlPlanePeers peers = scene.peers;
            peers.cluster();
            peers.merge(peers.owner(), "{\"spec\":{\"controlPlaneEndpoint\":null}}");
            peers.onlyControlPlane();
            within(() -> scene.reason("Available").equals("WaitingForControlPlaneEndpoint"));
            peers.merge(peers.owner(), "{\"spec\":{\"controlPlaneEndpoint\":{\"host\":\"api\",\"port\":6443}}}");
            within(() -> scene.reason("Available").equals("WaitingForClusterInfrastructure"));
            assertThat(peers.machines()).isEmpty();
            peers.infrastructure(true, List.of());
            scene.untilHostsAreAwaited();
        }
    }
}
