package io.capoa.lab.workload;

import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Delays;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** An installed cluster of release 4.20.3 with three masters and two workers, and a client of its API. */
final class UpgradeScene implements AutoCloseable {

    static final String CHANNEL = "{\"spec\":{\"channel\":\"stable-4.21\"}}";

    final Workload cluster;
    final KubernetesClient client;
    private final WorkloadClusters clusters;
    private final ReleaseImages images = ReleaseImages.ofNames();

    UpgradeScene(Delays delays) throws IOException, InterruptedException {
        clusters = new WorkloadClusters(0, delays).start();
        clusters.connect(new ReleaseCatalogue(images));
        cluster = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        // Watches resume at once after a broken connection, and so see every event.
        Config config = new ConfigBuilder(Config.fromKubeconfig(cluster.kubeconfig()))
                .withWatchReconnectInterval(10)
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        for (String name : List.of("m-0", "m-1", "m-2")) {
            powerOn(name, "master");
            join(name, "master");
        }
        join("w-0", "worker");
        join("w-1", "worker");
        cluster.complete();
        within(() -> pool("worker", "Updated").equals("True") && machines("worker") == 2 && machines("master") == 3);
    }

    /** Delays with which an upgrade takes about two seconds. */
    static Delays quick() {
        return Delays.none()
                .set(Delays.Of.PAYLOAD, Duration.ofMillis(100))
                .set(Delays.Of.OPERATOR, Duration.ofMillis(20))
                .set(Delays.Of.DRAIN, Duration.ofMillis(20))
                .set(Delays.Of.REBOOT, Duration.ofMillis(100));
    }

    WorkloadApi.Answer powerOn(String name, String role) throws IOException, InterruptedException {
        return WorkloadApi.of(cluster.kubeletKubeconfig()).send("PUT", "/machines/" + name + "?role=" + role, Map.of());
    }

    void join(String name, String role) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("node-role.kubernetes.io/" + role, "")
                        .endMetadata()
                        .withNewStatus()
                        .withNewNodeInfo()
                        .withKubeletVersion("v1.33.5")
                        .endNodeInfo()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build())
                .create();
    }

    Resource<GenericKubernetesResource> version() {
        return client.genericKubernetesResources("config.openshift.io/v1", "ClusterVersion")
                .withName("version");
    }

    Resource<GenericKubernetesResource> operator(String name) {
        return client.genericKubernetesResources("config.openshift.io/v1", "ClusterOperator")
                .withName(name);
    }

    Resource<GenericKubernetesResource> pool(String name) {
        return client.genericKubernetesResources("machineconfiguration.openshift.io/v1", "MachineConfigPool")
                .withName(name);
    }

    static void patch(Resource<?> object, String mergePatch) {
        object.patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
    }

    /** Requests an update; {@code desiredUpdate} in JSON. */
    void request(String desiredUpdate) {
        patch(version(), "{\"spec\":{\"desiredUpdate\":" + desiredUpdate + "}}");
    }

    void request(String version, String image) {
        request("{\"version\":\"%s\",\"image\":\"%s\"}".formatted(version, image));
    }

    /** Image by digest of a release, as its registry serves it. */
    String image(String version) {
        return "registry.test/ocp-release@"
                + images.digest("ocp-release", version + "-x86_64").orElseThrow();
    }

    void annotate(Resource<?> object, String name, String value) {
        patch(object, "{\"metadata\":{\"annotations\":{\"lab.capoa.io/%s\":%s}}}".formatted(name, value));
    }

    /** A field of a condition of the ClusterVersion; empty if it has no such condition. */
    String condition(String type, String field) {
        return condition(version().get(), type, field);
    }

    static String condition(GenericKubernetesResource object, String type, String field) {
        return Fields.list(object, "status", "conditions").stream()
                .filter(condition -> type.equals(Fields.any(condition, "type")))
                .map(condition -> Fields.text(condition, field))
                .findFirst()
                .orElse("");
    }

    String pool(String name, String type) {
        return condition(pool(name).get(), type, "status");
    }

    int machines(String pool) {
        Integer count = Fields.integer(pool(pool).get(), "status", "machineCount");
        return count == null ? 0 : count;
    }

    /** State and version of an entry of the history, such as {@code Partial 4.20.5}. */
    static String history(GenericKubernetesResource version, int entry) {
        List<?> history = Fields.list(version, "status", "history");
        return history.size() <= entry
                ? ""
                : Fields.text(history.get(entry), "state") + " " + Fields.text(history.get(entry), "version");
    }

    String history(int entry) {
        return history(version().get(), entry);
    }

    List<String> kubelets(String role) {
        return client.nodes().withLabel("node-role.kubernetes.io/" + role).list().getItems().stream()
                .map(node -> node.getStatus().getNodeInfo().getKubeletVersion())
                .distinct()
                .toList();
    }

    static boolean isReady(Node node) {
        return node.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    static void within(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(condition);
    }

    @Override
    public void close() {
        client.close();
        clusters.close();
    }
}
