package io.capoa.lab.controlplane;

import static io.capoa.lab.controlplane.Scene.within;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.workload.Release;
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

/** Removal of Machines of an installed control plane, whose etcd operator removes no member by itself. */
@ExtendWith(SharedCluster.class)
class NodeRemovalTest {

    private static final String REACHED = """
            {"status":{"conditions":[
              {"type":"Ready","status":"True","reason":"Told","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"},
              {"type":"Deleting","status":"True","reason":"WaitingForPreTerminateHook","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}""";

    private WorkloadClusters clusters;
    private Workload workload;

    @BeforeEach
    void start() throws IOException {
        clusters = new WorkloadClusters(0).start();
        workload = clusters.create("one", Release.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void aPausedControlPlane_removesNothing_andContinuesAfterwards_withANewName(TestCluster cluster) throws Exception {
        try (Scene scene = installed(cluster)) {
            Neighbours neighbours = scene.neighbours;
            Machine leaving = neighbours.machines().getFirst();
            Set<String> before = names(neighbours);
            neighbours.edit("metadata: {annotations: {%s: ''}}".formatted(Annotations.PAUSED));
            within(() -> scene.isTrue("Paused"));
            leave(neighbours, leaving);
            Thread.sleep(3000);
            assertThat(nodes()).hasSize(3);
            assertThat(members()).isEqualTo(3);
            assertThat(hooked(neighbours, leaving)).isTrue();

            neighbours.client.resource(neighbours.current()).edit(controlPlane -> {
                controlPlane.getMetadata().getAnnotations().remove(Annotations.PAUSED);
                return controlPlane;
            });
            within(() -> !hooked(neighbours, leaving));
            assertThat(nodes()).hasSize(2).doesNotContain(name(leaving));
            assertThat(members()).isEqualTo(2);

            neighbours.merge(machine(neighbours, leaving), "{\"metadata\":{\"finalizers\":null}}");
            within(() -> neighbours.machines().size() == 3);
            assertThat(names(neighbours)).doesNotContain(name(leaving)).hasSize(3);
            Set<String> added = names(neighbours);
            added.removeAll(before);
            assertThat(added).hasSize(1);
            within(() -> "1"
                    .equals(neighbours.current().getMetadata().getAnnotations().get(Annotations.LATER_NAMES_USED)));
        }
    }

    @Test
    void aMachineWithoutNodeRef_isFoundByItsAddress_andLeavesWithItsNode(TestCluster cluster) throws Exception {
        try (Scene scene = installed(cluster)) {
            Neighbours neighbours = scene.neighbours;
            Machine leaving = neighbours.machines().getLast();
            neighbours.merge(leaving, "{\"spec\":{\"providerID\":null}}");
            neighbours.status(leaving, "{\"status\":{\"nodeRef\":null}}");
            api().send("PATCH", "/api/v1/nodes/" + name(leaving), Map.of("spec", nothing("providerID")));
            leave(neighbours, leaving);

            within(() -> !hooked(neighbours, leaving));

            assertThat(nodes()).hasSize(2).doesNotContain(name(leaving));
            assertThat(members()).isEqualTo(2);
        }
    }

    @Test
    void aNodeOfTheNameThatBelongsToAnotherHost_staysWithItsMember(TestCluster cluster) throws Exception {
        try (Scene scene = installed(cluster)) {
            Neighbours neighbours = scene.neighbours;
            Machine leaving = neighbours.machines().getFirst();
            api().send(
                            "PATCH",
                            "/api/v1/nodes/" + name(leaving),
                            Map.of("spec", Map.of("providerID", "metal3://of/another")));
            leave(neighbours, leaving);

            within(() -> !hooked(neighbours, leaving));

            assertThat(nodes()).hasSize(3);
            assertThat(members()).isEqualTo(3);
        }
    }

    private Scene installed(TestCluster cluster) throws Exception {
        Scene scene = Scene.withControlPlane(cluster);
        Neighbours neighbours = scene.neighbours;
        neighbours.installState("installing");
        int n = 0;
        for (Machine machine : neighbours.machines()) {
            String id = "metal3://%s/%s".formatted(neighbours.namespace, name(machine));
            String address = "192.0.2." + n++;
            join(name(machine), id, address);
            neighbours.merge(machine, "{\"spec\":{\"providerID\":\"%s\"}}".formatted(id));
            neighbours.ready(machine, true);
            neighbours.status(machine, """
                    {"status":{"nodeRef":{"name":"%s"},"addresses":[{"type":"InternalIP","address":"%s"}]}}""".formatted(name(machine), address));
        }
        neighbours.publishKubeconfig(workload.kubeconfig());
        neighbours.complete();
        neighbours.installState("adding-hosts");
        within(() -> scene.isTrue("Ready") && scene.status().distributionVersion() != null);
        return scene;
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

    /** Acts as Cluster API: deletes the Machine up to our hook. */
    private static void leave(Neighbours neighbours, Machine machine) {
        neighbours.merge(machine, "{\"metadata\":{\"finalizers\":[\"machine.cluster.x-k8s.io\"]}}");
        neighbours.client.resource(machine).delete();
        neighbours.status(machine, REACHED);
    }

    private static boolean hooked(Neighbours neighbours, Machine machine) {
        return machine(neighbours, machine).getMetadata().getAnnotations().containsKey(Annotations.PRE_TERMINATE_HOOK);
    }

    private static Machine machine(Neighbours neighbours, Machine machine) {
        return neighbours.machines().stream()
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
        return WorkloadApi.of(workload.kubeconfig());
    }

    private static Map<String, Object> nothing(String field) {
        Map<String, Object> map = new java.util.HashMap<>();
        map.put(field, null);
        return map;
    }

    private static Set<String> names(Neighbours neighbours) {
        return neighbours.machines().stream().map(NodeRemovalTest::name).collect(Collectors.toSet());
    }

    private static String name(Machine machine) {
        return machine.getMetadata().getName();
    }
}
