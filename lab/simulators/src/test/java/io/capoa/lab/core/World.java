package io.capoa.lab.core;

import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.failure.Evidence;
import io.capoa.lab.metal3.Metal3Simulator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A namespace with both simulators; the test acts as the bootstrap and the control plane provider. */
public final class World implements AutoCloseable {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String CAPI = "cluster.x-k8s.io/v1beta2";
    private static final String INFRA = "infrastructure.cluster.x-k8s.io/v1beta2";
    private static final Map<String, String> VERSIONS = Map.ofEntries(
            Map.entry("Cluster", CAPI),
            Map.entry("Machine", CAPI),
            Map.entry("MachineSet", CAPI),
            Map.entry("MachineDeployment", CAPI),
            Map.entry("MachineHealthCheck", CAPI),
            Map.entry("Metal3Cluster", INFRA),
            Map.entry("Metal3Machine", INFRA),
            Map.entry("Metal3MachineTemplate", INFRA),
            Map.entry("Metal3Remediation", INFRA),
            Map.entry("BareMetalHost", "metal3.io/v1alpha1"),
            Map.entry("OpenshiftAssistedConfig", "bootstrap.cluster.x-k8s.io/v1beta1"),
            Map.entry("OpenshiftAssistedControlPlane", "controlplane.cluster.x-k8s.io/v1beta1"));

    public final String namespace = "w-" + UUID.randomUUID().toString().substring(0, 8);
    public final KubernetesClient client;

    private final TestCluster cluster;
    private final KubernetesClient coreClient;
    private final KubernetesClient metal3Client;
    private final CoreSimulator core;
    private final Metal3Simulator metal3;

    public World(TestCluster cluster, Delays delays) {
        this.cluster = cluster;
        client = cluster.admin();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        Evidence.namespace(cluster, namespace);
        coreClient = cluster.clientOf(KnownUsers.CLUSTER_API);
        metal3Client = cluster.clientOf(KnownUsers.METAL3);
        core = new CoreSimulator(coreClient, namespace);
        metal3 = new Metal3Simulator(metal3Client, delays, namespace);
        core.start();
        metal3.start();
    }

    /** Applies YAML documents; {@code NS} is replaced by the namespace. */
    public void apply(String yaml) {
        for (String document : yaml.replace("NS", namespace).split("\n---\n", -1)) {
            client.resource(Serialization.unmarshal(document, GenericKubernetesResource.class))
                    .create();
        }
    }

    /** A Cluster with Metal3Cluster and a control plane of the given replicas, all named {@code c}. */
    public void cluster() {
        apply("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3Cluster
            metadata: {name: c, namespace: NS}
            spec: {controlPlaneEndpoint: {host: api.c.example.com, port: 6443}}
            ---
            apiVersion: controlplane.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedControlPlane
            metadata: {name: c, namespace: NS}
            spec:
              distributionVersion: 4.20.3
              replicas: 1
              machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: c-template}}}
              config: {baseDomain: example.com}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {name: c, namespace: NS}
            spec:
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: c}
              controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: c}
            """);
    }

    /** A Machine with config and Metal3Machine of that name; {@code labels} and {@code image} are YAML flow maps. */
    public void machine(String name, String labels, String image) {
        apply("""
            apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedConfig
            metadata: {name: MACHINE, namespace: NS}
            spec: {}
            ---
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3Machine
            metadata: {name: MACHINE, namespace: NS}
            spec: {image: IMAGE, automatedCleaningMode: disabled}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {name: MACHINE, namespace: NS, labels: LABELS}
            spec:
              clusterName: c
              bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: MACHINE}}
              infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: MACHINE}
            """.replace("MACHINE", name).replace("LABELS", labels).replace("IMAGE", image));
    }

    /** Acts as bootstrap provider: the data of a Machine is complete. */
    public void bootstrapData(String name, String secret) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(secret)
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToStringData("value", "{}")
                        .build())
                .create();
        status(
                "OpenshiftAssistedConfig",
                name,
                Map.of("dataSecretName", secret, "initialization", Map.of("dataSecretCreated", true)));
    }

    /** Acts as control plane provider: the API of the workload cluster, which is this API server, is available. */
    public void workloadApi() {
        kubeconfig(client.getMasterUrl().toString());
        status("OpenshiftAssistedControlPlane", "c", Map.of("initialization", Map.of("controlPlaneInitialized", true)));
    }

    /** Creates or replaces the kubeconfig of the workload cluster, with that address of its API server. */
    public void kubeconfig(String server) {
        try {
            client.resource(new SecretBuilder()
                            .withNewMetadata()
                            .withName("c-kubeconfig")
                            .withNamespace(namespace)
                            .addToLabels("cluster.x-k8s.io/cluster-name", "c")
                            .endMetadata()
                            .addToStringData(
                                    "value",
                                    Files.readString(cluster.adminKubeconfig())
                                            .replaceFirst("(?m)(server: *).*$", "$1" + server))
                            .build())
                    .serverSideApply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A ready Node with the label of its host. */
    public String node(String name, String hostUid) {
        String node = namespace + "-" + name;
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .addToLabels("metal3.io/uuid", hostUid)
                        .endMetadata()
                        .build())
                .create();
        nodeReady(node, "True");
        return node;
    }

    /** Changes condition Ready of a Node that {@link #node} created. */
    public void nodeReady(String node, String status) {
        client.resource(client.nodes().withName(node).get())
                .subresource("status")
                .patch(
                        MERGE,
                        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"%s\",\"lastTransitionTime\":\"%s\"}]}}"
                                .formatted(status, Instant.now().truncatedTo(ChronoUnit.SECONDS)));
    }

    public void status(String kind, String name, Map<String, ?> status) {
        write(kind, name, Map.of("status", status), "status");
    }

    public void patch(String kind, String name, Map<String, ?> fragment) {
        write(kind, name, fragment, null);
    }

    private void write(String kind, String name, Map<String, ?> fragment, @Nullable String subresource) {
        var item = client.resource(get(kind, name));
        String json = Serialization.asJson(fragment);
        var unused = subresource == null
                ? item.patch(MERGE, json)
                : item.subresource(subresource).patch(MERGE, json);
    }

    public GenericKubernetesResource get(String kind, String name) {
        GenericKubernetesResource found = find(kind, name);
        if (found == null) {
            throw new AssertionError(kind + " " + name + " does not exist");
        }
        return found;
    }

    public @Nullable GenericKubernetesResource find(String kind, String name) {
        return client.genericKubernetesResources(VERSIONS.get(kind), kind)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    public List<GenericKubernetesResource> list(String kind) {
        return client.genericKubernetesResources(VERSIONS.get(kind), kind)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    /** Passes every later write of an object to the reader, from its present resourceVersion on. */
    public Watch watch(String kind, String name, Consumer<GenericKubernetesResource> reader) {
        ListOptions fromNow = new ListOptionsBuilder()
                .withResourceVersion(get(kind, name).getMetadata().getResourceVersion())
                .build();
        return client.genericKubernetesResources(VERSIONS.get(kind), kind)
                .inNamespace(namespace)
                .withName(name)
                .watch(fromNow, new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, GenericKubernetesResource object) {
                        reader.accept(object);
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        // What the reader expects does not come.
                    }
                });
    }

    public void delete(String kind, String name) {
        client.resource(get(kind, name)).delete();
    }

    /** Waits until the assertions hold. */
    public static void eventually(org.awaitility.core.ThrowingRunnable assertions) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(assertions);
    }

    /** resourceVersions of all objects that the simulators write. */
    public Map<String, String> versions() {
        Map<String, String> versions = new HashMap<>();
        VERSIONS.keySet()
                .forEach(kind -> list(kind)
                        .forEach((HasMetadata r) -> versions.put(
                                kind + " " + r.getMetadata().getName(),
                                r.getMetadata().getResourceVersion())));
        return versions;
    }

    @Override
    public void close() {
        core.close();
        metal3.close();
        coreClient.close();
        metal3Client.close();
        client.nodes().list().getItems().stream()
                .filter(n -> n.getMetadata().getName().startsWith(namespace + "-"))
                .forEach(n -> client.resource(n).delete());
    }
}
