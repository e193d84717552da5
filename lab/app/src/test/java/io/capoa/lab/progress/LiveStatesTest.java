package io.capoa.lab.progress;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.table.DocumentBlock;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The live view in the states of {@code docs/tables.md}, with the statuses that {@code ControlPlaneTableTest} keeps. */
@ExtendWith(SharedCluster.class)
class LiveStatesTest {

    private static final Path STATES =
            ProjectRoot.find().resolve("controlplane-provider/src/test/resources/io/capoa/controlplane/states");
    private static final DocumentBlock BLOCK = new DocumentBlock(Path.of("docs", "tables.md"), "live");

    private static final int WIDTH = 120;
    private static final int REPLICAS = 3;
    private static final Pattern DOCUMENT_END = Pattern.compile("^---$", Pattern.MULTILINE);

    private final TestCluster cluster;
    private final String namespace = "live-" + UUID.randomUUID().toString().substring(0, 8);

    LiveStatesTest(TestCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void theView_isThatOfTheDocument_andSaysOfEachFailureWhatToDo() throws IOException {
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        List<String> names;
        try (Stream<Path> files = Files.list(STATES)) {
            names = files.map(file -> file.getFileName().toString().replace(".yaml", ""))
                    .sorted()
                    .toList();
        }
        assertThat(names).hasSizeGreaterThanOrEqualTo(8);
        for (String name : names) {
            make(name);
        }

        try (Clusters clusters = new Clusters(cluster.admin())) {
            clusters.start();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(rows(clusters)).hasSize(names.size()));
            String view = Table.lines(rows(clusters), Duration.ofMinutes(5), 200, WIDTH).stream()
                    .map(line -> line.replace(namespace, "ns").stripTrailing())
                    .collect(joining("\n", "", "\n"));

            assertThat(view).as(DocumentBlock.REWRITE).isEqualTo(BLOCK.committed(view));
        } finally {
            cluster.admin().namespaces().withName(namespace).delete();
        }
    }

    private List<ClusterRow> rows(Clusters clusters) {
        return clusters.rows().stream()
                .filter(row -> row.namespace().equals(namespace))
                .toList();
    }

    /** A Cluster with the objects of a state, its Machines and their hosts. */
    private void make(String name) throws IOException {
        create("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: %1$s}
                spec:
                  controlPlaneRef:
                    {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: %1$s}
                  infrastructureRef:
                    {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: %1$s}
                """.formatted(name));
        List<GenericKubernetesResource> objects = DOCUMENT_END
                .splitAsStream(Files.readString(STATES.resolve(name + ".yaml")))
                .filter(document -> !document.isBlank())
                .map(document -> Serialization.unmarshal(document, GenericKubernetesResource.class))
                .toList();
        objects.forEach(this::create);
        GenericKubernetesResource controlPlane = objects.getFirst();
        boolean installed =
                Boolean.TRUE.equals(controlPlane.get("status", "initialization", "controlPlaneInitialized"));
        int ready = Objects.requireNonNullElse(Fields.integer(controlPlane, "status", "readyReplicas"), 0);
        for (int i = 0; i < REPLICAS; i++) {
            machine(name, i, installed, i < ready);
        }
    }

    private void machine(String name, int number, boolean installed, boolean ready) {
        create("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata:
                  name: %1$s-%2$d
                  labels: {cluster.x-k8s.io/cluster-name: %1$s, cluster.x-k8s.io/control-plane: ""}
                spec:
                  clusterName: %1$s
                  bootstrap:
                    configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %1$s-%2$d}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s-%2$d}
                status:
                  phase: %3$s
                  conditions:
                  - {type: Ready, status: "%4$s", reason: R, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
                  - {type: NodeReady, status: "%4$s", reason: %5$s, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
                """.formatted(
                        name,
                        number,
                        installed ? "Running" : "Provisioning",
                        ready ? "True" : "False",
                        ready ? "NodeReady" : installed ? "NodeNotReady" : "WaitingForNode"));
        if (name.equals("no-free-host") && number == REPLICAS - 1) {
            return;
        }
        create("""
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: %1$s-host-%2$d}
                spec: {online: true, consumerRef: {kind: Metal3Machine, name: "%1$s-%2$d"}}
                """.formatted(name, number));
    }

    private void create(String yaml) {
        create(Serialization.unmarshal(yaml, GenericKubernetesResource.class));
    }

    private void create(GenericKubernetesResource object) {
        Map<String, Object> status = object.get("status");
        object.getMetadata().setNamespace(namespace);
        if (object.getKind().equals("AgentClusterInstall")) {
            Map<String, Object> spec = Objects.requireNonNull(object.get("spec"));
            spec.put("clusterDeploymentRef", Map.of("name", object.getMetadata().getName()));
            spec.put("networking", Map.of());
        }
        GenericKubernetesResource made = cluster.admin().resource(object).create();
        if (status != null) {
            made.setAdditionalProperty("status", status);
            cluster.admin().resource(made).updateStatus();
        }
    }
}
