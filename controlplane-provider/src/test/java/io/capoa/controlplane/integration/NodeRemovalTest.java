package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.controlplane.machines.DeletionHooks;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Removal of Machines of an installed control plane, whose etcd operator removes no member by itself. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class NodeRemovalTest {

    private static final String REACHED = """
        {"status":{"conditions":[
          {"type":"Ready","status":"True","reason":"Told","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
          {"type":"Deleting","status":"True","reason":"WaitingForPreTerminateHook","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
        """;
    private static final String HELD = REACHED.replace("WaitingForPreTerminateHook", "WaitingForPreDrainHook");

    private WorkloadClusters clusters;
    private Workload workload;

    @BeforeEach
    void start() throws IOException {
        clusters = new WorkloadClusters(0).start();
        workload = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void aPausedControlPlane_removesNothing_andContinuesAfterwards_withANewName(RunningControlPlane shared)
            throws Exception {
        try (ControlPlaneScene scene = installed(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine leaving = peers.machines().getFirst();
            Set<String> before = names(peers);
            peers.edit("metadata: {annotations: {%s: ''}}".formatted(Annotations.PAUSED));
            within(() -> scene.isTrue("Paused"));
            leave(peers, leaving);
            scene.untilReconciled();
            assertThat(peers.machines()).as("no replacement").hasSize(3);
            assertThat(nodes()).hasSize(3);
            assertThat(members()).isEqualTo(3);
            assertThat(hooked(peers, leaving)).isTrue();

            peers.edit("metadata: {annotations: {%s: null}}".formatted(Annotations.PAUSED));
            String added = joinReplacement(peers, before);
            drain(peers, leaving);
            within(() -> !hooked(peers, leaving));
            assertThat(nodes()).hasSize(3).contains(added).doesNotContain(name(leaving));
            assertThat(members()).isEqualTo(3);

            peers.merge(machine(peers, leaving), "{\"metadata\":{\"finalizers\":null}}");
            within(() -> peers.machines().size() == 3);
            assertThat(names(peers)).doesNotContain(name(leaving)).contains(added);
            within(() ->
                    "1".equals(peers.current().getMetadata().getAnnotations().get(Annotations.LATER_NAMES_USED)));
        }
    }

    @Test
    void aHealthyMachineThatTheUserDeletes_isDrainedOnceItsReplacementHasJoined(RunningControlPlane shared)
            throws Exception {
        try (ControlPlaneScene scene = installed(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine leaving = peers.machines().getFirst();
            Set<String> before = names(peers);
            delete(peers, leaving, HELD);
            within(() -> peers.machines().size() == 4);
            within(() -> scene.message("ScalingDown").contains("another Machine has to join first"));
            assertThat(hooks(peers, leaving)).contains(Annotations.PRE_DRAIN_HOOK);

            joinReplacement(peers, before);
            within(() -> !hooks(peers, leaving).contains(Annotations.PRE_DRAIN_HOOK));
            within(() -> scene.message("ScalingDown").contains("Cluster API drains node " + name(leaving)));
            assertThat(hooks(peers, leaving)).contains(Annotations.PRE_TERMINATE_HOOK);
            assertThat(nodes()).as("nothing is removed before the drain").hasSize(4);

            peers.status(machine(peers, leaving), REACHED);
            within(() -> !hooked(peers, leaving));
            assertThat(nodes()).hasSize(3).doesNotContain(name(leaving));
            assertThat(members()).isEqualTo(3);
        }
    }

    @Test
    void anUnhealthyMachine_isDrainedAtOnce(RunningControlPlane shared) throws Exception {
        try (ControlPlaneScene scene = installed(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine leaving = peers.machines().getFirst();
            delete(
                    peers,
                    leaving,
                    HELD.replace(
                            "\"type\":\"Ready\",\"status\":\"True\"",
                            "\"type\":\"HealthCheckSucceeded\",\"status\":\"False\""));

            within(() -> !hooks(peers, leaving).contains(Annotations.PRE_DRAIN_HOOK));

            assertThat(hooks(peers, leaving)).contains(Annotations.PRE_TERMINATE_HOOK);
            assertThat(members()).isEqualTo(3);
        }
    }

    @Test
    void aMachineWithoutNodeRef_isFoundByItsAddress_andLeavesWithItsNode(RunningControlPlane shared) throws Exception {
        try (ControlPlaneScene scene = installed(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine leaving = peers.machines().getLast();
            peers.merge(leaving, "{\"spec\":{\"providerID\":null}}");
            peers.status(leaving, "{\"status\":{\"nodeRef\":null}}");
            leavesWithItsNode(peers, leaving);
        }
    }

    @Test
    void aMachineOfWhichNothingWasCopiedYet_isFoundByTheAddressOfItsInfrastructureMachine(RunningControlPlane shared)
            throws Exception {
        try (ControlPlaneScene scene = installed(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine leaving = peers.machines().getLast();
            String address = MachineView.of(leaving).addresses().getFirst().address();
            peers.status(
                    peers.client
                            .resources(Metal3Machine.class)
                            .inNamespace(peers.namespace)
                            .withName(name(leaving))
                            .require(),
                    "{\"status\":{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"%s\"}]}}".formatted(address));
            peers.merge(leaving, "{\"spec\":{\"providerID\":null}}");
            peers.status(leaving, "{\"status\":{\"nodeRef\":null,\"addresses\":null}}");
            leavesWithItsNode(peers, leaving);
        }
    }

    @Test
    void aNodeOfTheNameThatBelongsToAnotherHost_staysWithItsMember(RunningControlPlane shared) throws Exception {
        try (ControlPlaneScene scene = installed(shared)) {
            ControlPlanePeers peers = scene.peers;
            Machine leaving = peers.machines().getFirst();
            api().send(
                            "PATCH",
                            "/api/v1/nodes/" + name(leaving),
                            Map.of("spec", Map.of("providerID", "metal3://of/another")));
            leave(peers, leaving);
            drain(peers, leaving);

            within(() -> !hooked(peers, leaving));

            assertThat(nodes()).hasSize(3);
            assertThat(members()).isEqualTo(3);
        }
    }

    /** Although neither of them names a provider ID. */
    private void leavesWithItsNode(ControlPlanePeers peers, Machine leaving) throws Exception {
        api().send("PATCH", "/api/v1/nodes/" + name(leaving), Map.of("spec", nothing("providerID")));
        Set<String> before = names(peers);
        leave(peers, leaving);

        String added = joinReplacement(peers, before);
        drain(peers, leaving);
        within(() -> !hooked(peers, leaving));

        assertThat(nodes()).hasSize(3).contains(added).doesNotContain(name(leaving));
        assertThat(members()).isEqualTo(3);
    }

    private ControlPlaneScene installed(RunningControlPlane shared) throws Exception {
        ControlPlaneScene scene = ControlPlaneScene.withControlPlane(shared);
        ControlPlanePeers peers = scene.peers;
        peers.installState("installing");
        int n = 0;
        for (Machine machine : peers.machines()) {
            join(peers, machine, "192.0.2." + n++);
        }
        peers.publishKubeconfig(workload.kubeconfig());
        peers.complete();
        peers.installState("adding-hosts");
        within(() -> scene.isTrue("Ready") && scene.status().distributionVersion() != null);
        return scene;
    }

    /** A healthy member leaves after its replacement has joined; returns the name of that. */
    private String joinReplacement(ControlPlanePeers peers, Set<String> before) throws Exception {
        within(() -> peers.machines().size() == 4);
        assertThat(members()).as("until the replacement has joined").isEqualTo(3);
        Machine replacement = peers.machines().stream()
                .filter(machine -> !before.contains(name(machine)))
                .findFirst()
                .orElseThrow();
        join(peers, replacement, "192.0.2.100");
        return name(replacement);
    }

    private void join(ControlPlanePeers peers, Machine machine, String address) throws Exception {
        String id = "metal3://%s/%s".formatted(peers.namespace, name(machine));
        join(name(machine), id, address);
        peers.merge(machine, "{\"spec\":{\"providerID\":\"%s\"}}".formatted(id));
        peers.ready(machine, true);
        peers.status(machine, """
            {"status":{"nodeRef":{"name":"%s"},"addresses":[{"type":"InternalIP","address":"%s"}]}}\
            """.formatted(name(machine), address));
    }

    private void join(String name, String id, String address) throws Exception {
        WorkloadApi kubelet = WorkloadApi.of(workload.kubeletKubeconfig());
        kubelet.send("PUT", "/machines/" + name + "?role=master", Map.of());
        kubelet.send(
                "POST",
                "/api/v1/nodes",
                Map.of(
                        "metadata", Map.of("name", name, "labels", Map.of("node-role.kubernetes.io/master", "")),
                        "spec", Map.of("providerID", id),
                        "status",
                                Map.of(
                                        "addresses", List.of(Map.of("type", "InternalIP", "address", address)),
                                        "conditions", List.of(Map.of("type", "Ready", "status", "True")))));
    }

    /** Acts as user and Cluster API: deletes the Machine up to the hook before its drain. */
    private static void leave(ControlPlanePeers peers, Machine machine) {
        delete(peers, machine, HELD);
    }

    /** Acts as Cluster API: once that hook is removed, the Machine is drained, which its status shows, up to the last hook. */
    private static void drain(ControlPlanePeers peers, Machine machine) {
        within(() -> !hooks(peers, machine).contains(Annotations.PRE_DRAIN_HOOK));
        peers.status(machine(peers, machine), REACHED);
    }

    private static void delete(ControlPlanePeers peers, Machine machine, String progress) {
        peers.merge(machine, "{\"metadata\":{\"finalizers\":[\"machine.cluster.x-k8s.io\"]}}");
        peers.client.resource(machine).delete();
        peers.status(machine, progress);
    }

    private static boolean hooked(ControlPlanePeers peers, Machine machine) {
        return !hooks(peers, machine).isEmpty();
    }

    private static List<String> hooks(ControlPlanePeers peers, Machine machine) {
        return DeletionHooks.on(machine(peers, machine));
    }

    private static Machine machine(ControlPlanePeers peers, Machine machine) {
        return peers.machines().stream()
                .filter(one -> name(one).equals(name(machine)))
                .findFirst()
                .orElseThrow();
    }

    private int members() {
        return InstalledCluster.etcd(
                        Base64.getEncoder().encodeToString(workload.kubeconfig().getBytes(UTF_8)))
                .members();
    }

    private List<String> nodes() throws Exception {
        return Fields.any(api().send("GET", "/api/v1/nodes", Map.of()).body(), "items") instanceof List<?> items
                ? items.stream()
                        .map(node -> String.valueOf(Fields.any(node, "metadata", "name")))
                        .toList()
                : List.of();
    }

    private WorkloadApi api() throws IOException {
        return workload.api();
    }

    private static Map<String, Object> nothing(String field) {
        Map<String, Object> map = new java.util.HashMap<>();
        map.put(field, null);
        return map;
    }

    private static Set<String> names(ControlPlanePeers peers) {
        return peers.machines().stream().map(NodeRemovalTest::name).collect(Collectors.toSet());
    }

    private static String name(Machine machine) {
        return machine.getMetadata().getName();
    }
}
