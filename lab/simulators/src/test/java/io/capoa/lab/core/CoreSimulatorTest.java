package io.capoa.lab.core;

import static io.capoa.lab.core.World.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.metal3.Rack;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Watch;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("full")
@ExtendWith(SharedCluster.class)
class CoreSimulatorTest {

    private static final String CONTROL_PLANE = "{cluster.x-k8s.io/control-plane: ''}";
    private static final String QCOW =
            "{url: 'http://images/rhcos.qcow2', checksum: abc, checksumType: sha256, diskFormat: qcow2}";

    private World world;

    @BeforeEach
    void start(TestCluster cluster) {
        world = new World(cluster, Delays.none());
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void whenTheInfrastructureIsProvisioned_theClusterTakesOverItsEndpointAndOwnsBothReferences() {
        world.cluster();

        eventually(() -> {
            GenericKubernetesResource cluster = world.get("Cluster", "c");
            assertThat(Fields.string(cluster, "status", "phase")).isEqualTo("Provisioned");
            assertThat(Fields.string(cluster, "spec", "controlPlaneEndpoint", "host"))
                    .isEqualTo("api.c.example.com");
            assertThat(ConditionView.of(cluster, "ControlPlaneAvailable")
                            .orElseThrow()
                            .status())
                    .isEqualTo("False");
            assertThat(deprecated(cluster, "InfrastructureReady")).isEqualTo("True");
            for (String kind : List.of("Metal3Cluster", "OpenshiftAssistedControlPlane")) {
                assertThat(Contract.isControlledBy(world.get(kind, "c"), cluster))
                        .isTrue();
                assertThat(Contract.label(world.get(kind, "c"), Contract.CLUSTER_NAME))
                        .isEqualTo("c");
            }
        });
    }

    /** Status of a condition of contract v1beta1, by which CAPM3 goes. */
    private static String deprecated(GenericKubernetesResource object, String type) {
        return Fields.list(object, "status", "deprecated", "v1beta1", "conditions").stream()
                .filter(condition -> type.equals(Fields.text(condition, "type")))
                .map(condition -> String.valueOf(Fields.text(condition, "status")))
                .findFirst()
                .orElse("none");
    }

    @Test
    void aMachineWaitsForBootstrapData_latchesItsSecretOnce() {
        world.cluster();
        world.machine("m", CONTROL_PLANE, QCOW);
        eventually(() -> {
            GenericKubernetesResource machine = world.get("Machine", "m");
            assertThat(Fields.string(machine, "status", "phase")).isEqualTo("Pending");
            assertThat(Contract.isControlledBy(world.get("OpenshiftAssistedConfig", "m"), machine))
                    .isTrue();
            assertThat(reason("Metal3Machine", "m", "AssociateBareMetalHost")).isEqualTo("WaitingForBootstrapData");
            assertThat(deprecated(machine, "BootstrapReady")).isEqualTo("False");
        });

        world.bootstrapData("m", "first");
        eventually(() -> assertThat(Fields.string(world.get("Machine", "m"), "spec", "bootstrap", "dataSecretName"))
                .isEqualTo("first"));
        world.status("OpenshiftAssistedConfig", "m", Map.of("dataSecretName", "second"));
        world.patch("Machine", "m", Map.of("metadata", Map.of("annotations", Map.of("touched", "yes"))));

        eventually(() -> assertThat(Fields.string(world.get("Machine", "m"), "status", "phase"))
                .isEqualTo("Provisioning"));
        assertThat(deprecated(world.get("Machine", "m"), "BootstrapReady")).isEqualTo("True");
        assertThat(Fields.string(world.get("Machine", "m"), "spec", "bootstrap", "dataSecretName"))
                .isEqualTo("first");
    }

    @Test
    void whenDataIsCreatedWithoutName_theMachineSaysSo() {
        world.cluster();
        world.machine("m", CONTROL_PLANE, QCOW);
        world.status("OpenshiftAssistedConfig", "m", Map.of("initialization", Map.of("dataSecretCreated", true)));

        eventually(
                () -> assertThat(reason("Machine", "m", "BootstrapConfigReady")).isEqualTo("InternalError"));
    }

    @Test
    void aMachineRuns_hasItsNode_andNothingIsWrittenAtRest(TestCluster cluster) {
        running();
        // The last that changes; what follows it has come once nothing does for a while.
        eventually(() -> assertThat(ConditionView.isTrue(world.get("Machine", "m"), "Available"))
                .isTrue());

        Map<String, String> before = settled();
        var mark = cluster.auditLog().map(log -> log.mark());
        world.patch("Metal3Machine", "m", Map.of("metadata", Map.of("labels", Map.of("touched", "yes"))));
        // What each simulator repairs comes later, twice: when it does so again, its first run has ended.
        for (int round = 0; round < 2; round++) {
            world.patch("Metal3Machine", "m", Map.of("metadata", Map.of("finalizers", List.of())));
            eventually(() -> assertThat(
                            world.get("Metal3Machine", "m").getMetadata().getFinalizers())
                    .isNotEmpty());
            world.patch(
                    "Metal3Machine",
                    "m",
                    Map.of("metadata", Map.of("labels", Collections.singletonMap(Contract.CLUSTER_NAME, null))));
            eventually(() -> assertThat(Contract.label(world.get("Metal3Machine", "m"), Contract.CLUSTER_NAME))
                    .isEqualTo("c"));
        }
        Map<String, String> after = world.versions();

        assertThat(Fields.string(world.get("Machine", "m"), "status", "phase")).isEqualTo("Running");
        assertThat(ConditionView.isTrue(world.get("Machine", "m"), "Available")).isTrue();
        after.remove("Metal3Machine m");
        before.remove("Metal3Machine m");
        assertThat(after).isEqualTo(before);
        cluster.auditLog()
                .ifPresent(log -> assertThat(log.writesByUser(mark.orElseThrow()))
                        .as("the repairs")
                        .containsEntry(cluster.subject(KnownUsers.CLUSTER_API).getName(), 2L)
                        .containsEntry(cluster.subject(KnownUsers.METAL3).getName(), 2L));
    }

    @Test
    void whileTheKubeconfigIsReplaced_theMachineKeepsWhatWasLastSeenOfItsNode() {
        String node = running();
        List<String> seen = new CopyOnWriteArrayList<>();
        Watch watch = world.watch(
                "Machine",
                "m",
                machine -> ConditionView.of(machine, "NodeReady").ifPresent(condition -> seen.add(condition.status())));
        try (watch) {
            world.kubeconfig("https://127.0.0.1:1");
            await().during(Duration.ofSeconds(2)).until(() -> !seen.contains("Unknown"));
            world.kubeconfig(world.client.getMasterUrl().toString());
            world.nodeReady(node, "False");

            eventually(() -> assertThat(seen).endsWith("False"));
            assertThat(seen).doesNotContain("Unknown");
        }
    }

    @Test
    void aMachineThatIsDeletedAtOnce_isDeletedWithItsDependents_andItsSuccessorHasEverything() {
        world.cluster();
        workers(2);
        for (int round = 0; round < 5; round++) {
            eventually(() -> assertThat(world.list("Machine")).hasSize(2));
            world.list("Machine")
                    .forEach(machine -> world.client.resource(machine).delete());
        }
        eventually(() -> {
            assertThat(world.list("Machine")).hasSize(2).allSatisfy(machine -> {
                String name = machine.getMetadata().getName();
                assertThat(machine.getMetadata().getDeletionTimestamp()).isNull();
                assertThat(Contract.isControlledBy(world.get("Metal3Machine", name), machine))
                        .isTrue();
                assertThat(Contract.isControlledBy(world.get("OpenshiftAssistedConfig", name), machine))
                        .isTrue();
            });
            assertThat(world.list("Metal3Machine")).hasSize(2);
        });
    }

    @Test
    void aMachineDeployment_makesMachines_andScalesDownTheMarkedOneFirst() {
        world.cluster();
        workers(3);
        eventually(() -> assertThat(world.list("Machine")).hasSize(3).allSatisfy(m -> {
            assertThat(Contract.label(m, Contract.DEPLOYMENT_NAME)).isEqualTo("w");
            GenericKubernetesResource infra =
                    world.get("Metal3Machine", m.getMetadata().getName());
            assertThat(infra.getMetadata().getAnnotations())
                    .containsEntry(Contract.CLONED_FROM_NAME, "w")
                    .containsEntry(
                            Contract.CLONED_FROM_GROUP_KIND, "Metal3MachineTemplate.infrastructure.cluster.x-k8s.io");
            assertThat(Contract.isControlledBy(infra, m)).isTrue();
        }));
        eventually(() -> assertThat(Fields.integer(world.get("MachineDeployment", "w"), "status", "replicas"))
                .isEqualTo(3));
        String marked = world.list("Machine").getLast().getMetadata().getName();
        // The condition shows that the simulator has seen both annotations.
        annotate(marked, Map.of(Contract.DELETE_MACHINE, "", Contract.PAUSED, ""));
        eventually(() -> assertThat(ConditionView.isTrue(world.get("Machine", marked), "Paused"))
                .isTrue());
        annotate(marked, Collections.singletonMap(Contract.PAUSED, null));

        world.patch("MachineDeployment", "w", Map.of("spec", Map.of("replicas", 2)));
        eventually(() -> assertThat(world.list("Machine"))
                .extracting(m -> m.getMetadata().getName())
                .hasSize(2)
                .doesNotContain(marked));

        world.patch("MachineDeployment", "w", Map.of("spec", Map.of("replicas", 4)));
        eventually(() -> assertThat(world.list("Machine"))
                .extracting(m -> m.getMetadata().getName())
                .hasSize(4)
                .doesNotContain(marked));
        world.delete("MachineDeployment", "w");
        eventually(() -> {
            assertThat(world.list("Machine")).isEmpty();
            assertThat(world.list("Metal3Machine")).isEmpty();
            assertThat(world.list("MachineSet")).isEmpty();
        });
    }

    @Test
    void aMachineSetThatIsToMoveItsMachines_deletesNone_whileNoMachineSetTakesThem() {
        world.cluster();
        workers(0);
        world.apply("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineSet
            metadata: {name: s, namespace: NS}
            spec:
              clusterName: c
              replicas: 1
              selector: {matchLabels: {set: s}}
              template:
                metadata: {labels: {set: s}}
                spec:
                  clusterName: c
                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfigTemplate, name: w}}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: w}
            """);
        eventually(() -> assertThat(world.list("Machine")).hasSize(1));
        // Without a Node it could not be moved anyway.
        world.status(
                "Machine",
                world.list("Machine").getFirst().getMetadata().getName(),
                Map.of("nodeRef", Map.of("name", "n")));

        world.patch("MachineSet", "s", movingTo("other", 0));
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(world.list("Machine"))
                        .singleElement()
                        .matches(machine -> !Contract.isDeleting(machine)));

        world.patch("MachineSet", "s", movingTo(null, 0));
        eventually(() -> assertThat(world.list("Machine")).singleElement().matches(Contract::isDeleting));
    }

    @Test
    void aPreDrainHook_holdsTheDrain_whichComesBeforeThePreTerminateHook() {
        String node = running();
        world.machine("other", CONTROL_PLANE, QCOW);
        String drain = Contract.PRE_DRAIN_HOOK + "/keep";
        String terminate = Contract.PRE_TERMINATE_HOOK + "/etcd";
        annotate("m", Map.of(drain, "", terminate, ""));
        world.delete("Machine", "m");
        eventually(() -> assertThat(ConditionView.of(world.get("Machine", "m"), "Deleting"))
                .hasValueSatisfying(condition -> {
                    assertThat(condition.reason()).isEqualTo("WaitingForPreDrainHook");
                    assertThat(condition.message()).contains(drain);
                }));
        assertThat(isCordoned(node)).isFalse();
        assertThat(drainStarted()).isNull();

        annotate("m", Collections.singletonMap(drain, null));
        eventually(() -> assertThat(reason("Machine", "m", "Deleting")).isEqualTo("WaitingForPreTerminateHook"));
        assertThat(isCordoned(node)).isTrue();
        assertThat(drainStarted()).isNotNull();

        annotate("m", Collections.singletonMap(terminate, null));
        eventually(() -> assertThat(world.find("Machine", "m")).isNull());
    }

    private boolean isCordoned(String node) {
        return Boolean.TRUE.equals(
                world.client.nodes().withName(node).get().getSpec().getUnschedulable());
    }

    private @Nullable String drainStarted() {
        return Fields.string(world.get("Machine", "m"), "status", "deletion", "nodeDrainStartTime");
    }

    @Test
    void aPreTerminateHookHoldsTheDeletion_thenInfrastructureConfigNodeAndMachineGo() {
        String node = running();
        world.machine("other", CONTROL_PLANE, QCOW);
        String hook = Contract.PRE_TERMINATE_HOOK + "/etcd";
        world.patch("Machine", "m", Map.of("metadata", Map.of("annotations", Map.of(hook, ""))));
        world.delete("Machine", "m");
        eventually(() -> assertThat(reason("Machine", "m", "Deleting")).isEqualTo("WaitingForPreTerminateHook"));
        assertThat(Contract.isDeleting(world.get("Metal3Machine", "m"))).isFalse();

        Map<String, Object> none = new java.util.HashMap<>();
        none.put(hook, null);
        world.patch("Machine", "m", Map.of("metadata", Map.of("annotations", none)));

        eventually(() -> {
            assertThat(world.find("Machine", "m")).isNull();
            assertThat(world.find("Metal3Machine", "m")).isNull();
            assertThat(world.find("OpenshiftAssistedConfig", "m")).isNull();
            assertThat(world.client.nodes().withName(node).get()).isNull();
        });
    }

    @Test
    void aClusterIsDeleted_workersFirst_thenControlPlane_thenInfrastructure() {
        world.cluster();
        workers(1);
        eventually(() -> assertThat(world.list("Machine")).hasSize(1));
        hold("OpenshiftAssistedControlPlane", "c", true);
        String worker = world.list("Machine").getFirst().getMetadata().getName();
        world.patch(
                "Machine",
                worker,
                Map.of("metadata", Map.of("annotations", Map.of(Contract.PRE_TERMINATE_HOOK + "/hold", ""))));
        world.delete("Cluster", "c");

        eventually(() -> assertThat(reason("Cluster", "c", "Deleting")).isEqualTo("WaitingForWorkersDeletion"));
        assertThat(Contract.isDeleting(world.get("OpenshiftAssistedControlPlane", "c")))
                .isFalse();
        Map<String, Object> none = new java.util.HashMap<>();
        none.put(Contract.PRE_TERMINATE_HOOK + "/hold", null);
        world.patch("Machine", worker, Map.of("metadata", Map.of("annotations", none)));

        eventually(() -> assertThat(reason("Cluster", "c", "Deleting")).isEqualTo("WaitingForControlPlaneDeletion"));
        assertThat(Contract.isDeleting(world.get("Metal3Cluster", "c"))).isFalse();
        hold("OpenshiftAssistedControlPlane", "c", false);

        eventually(() -> {
            assertThat(world.find("Cluster", "c")).isNull();
            assertThat(world.find("Metal3Cluster", "c")).isNull();
        });
    }

    @Test
    void aPausedClusterIsNotReconciled() {
        world.cluster();
        eventually(() -> assertThat(ConditionView.of(world.get("Cluster", "c"), "Paused")
                        .orElseThrow()
                        .status())
                .isEqualTo("False"));
        world.patch("Cluster", "c", Map.of("spec", Map.of("paused", true)));
        eventually(() -> assertThat(ConditionView.isTrue(world.get("Cluster", "c"), "Paused"))
                .isTrue());
        workers(1);

        eventually(() -> assertThat(ConditionView.isTrue(world.get("MachineDeployment", "w"), "Paused"))
                .isTrue());
        assertThat(world.list("MachineSet")).isEmpty();
    }

    /** One control plane Machine up to its Node. */
    private String running() {
        world.cluster();
        new Rack(world.client).fill(world.namespace, 1);
        world.machine("m", CONTROL_PLANE, QCOW);
        world.bootstrapData("m", "data");
        eventually(
                () -> assertThat(Fields.string(world.get("BareMetalHost", "host-0"), "status", "provisioning", "state"))
                        .isEqualTo("provisioned"));
        world.workloadApi();
        String node = world.node(
                "m", world.get("BareMetalHost", "host-0").getMetadata().getUid());
        eventually(() -> {
            assertThat(Fields.string(world.get("Machine", "m"), "status", "nodeRef", "name"))
                    .isEqualTo(node);
            assertThat(world.client.nodes().withName(node).get().getSpec().getProviderID())
                    .isEqualTo("metal3://" + world.namespace + "/host-0/m");
        });
        return node;
    }

    private void annotate(String machine, Map<String, ?> annotations) {
        world.patch("Machine", machine, Map.of("metadata", Map.of("annotations", annotations)));
    }

    private static Map<String, ?> movingTo(@Nullable String target, int replicas) {
        return Map.of(
                "metadata",
                Map.of("annotations", Collections.singletonMap(InPlace.MOVE_TO, target)),
                "spec",
                Map.of("replicas", replicas));
    }

    /** The resourceVersions once they have been stable for a while. */
    private Map<String, String> settled() {
        AtomicReference<Map<String, String>> last = new AtomicReference<>(Map.of());
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    Map<String, String> now = world.versions();
                    return now.equals(last.getAndSet(now));
                });
        return last.get();
    }

    private void workers(int replicas) {
        world.apply("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3MachineTemplate
            metadata: {name: w, namespace: NS}
            spec: {template: {spec: {image: {url: 'http://images/x', checksum: abc, diskFormat: qcow2}}}}
            ---
            apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedConfigTemplate
            metadata: {name: w, namespace: NS}
            spec: {template: {spec: {}}}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {name: w, namespace: NS}
            spec:
              clusterName: c
              replicas: REPLICAS
              selector: {}
              template:
                spec:
                  clusterName: c
                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfigTemplate, name: w}}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: w}
            """.replace("REPLICAS", String.valueOf(replicas)));
    }

    private void hold(String kind, String name, boolean held) {
        world.patch(
                kind, name, Map.of("metadata", Map.of("finalizers", held ? List.of("example.com/hold") : List.of())));
    }

    private String reason(String kind, String name, String condition) {
        return ConditionView.of(world.get(kind, name), condition)
                .map(ConditionView::reason)
                .orElse("");
    }
}
