package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A simulated workload cluster whose nodes are the Machines of a control plane. */
final class SimulatedCluster implements AutoCloseable {

    private final WorkloadClusters clusters;
    private final Workload workload;

    SimulatedCluster() throws IOException {
        this(Delays.none());
    }

    SimulatedCluster(Delays delays) throws IOException {
        clusters = new WorkloadClusters(0, delays).start();
        workload = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
    }

    /** Completes the installation of the control plane with this cluster. */
    void install(ControlPlaneScene scene) throws IOException, InterruptedException {
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
    }

    /** Adds the Node of a Machine, as its host and Cluster API do. */
    void join(ControlPlanePeers peers, Machine machine, String address) throws IOException, InterruptedException {
        String name = machine.getMetadata().getName();
        String id = "metal3://%s/%s".formatted(peers.namespace, name);
        join(name, id, address);
        peers.merge(machine, "{\"spec\":{\"providerID\":\"%s\"}}".formatted(id));
        peers.ready(machine, true);
        peers.status(machine, "{\"status\":{\"nodeRef\":{\"name\":\"%s\"}}}".formatted(name));
    }

    private void join(String name, String id, String address) throws IOException, InterruptedException {
        powerOn(name);
        kubelet()
                .send(
                        "POST",
                        "/api/v1/nodes",
                        Map.of(
                                "metadata",
                                Map.of("name", name, "labels", Map.of("node-role.kubernetes.io/master", "")),
                                "spec",
                                Map.of("providerID", id),
                                "status",
                                Map.of(
                                        "addresses",
                                        List.of(Map.of("type", "InternalIP", "address", address)),
                                        "conditions",
                                        List.of(Map.of("type", "Ready", "status", "True")))));
    }

    /** Starts the host of a node. */
    void powerOn(String node) throws IOException, InterruptedException {
        kubelet().send("PUT", "/machines/" + node + "?role=master", Map.of());
    }

    /** Stops the host of a node. */
    void powerOff(String node) throws IOException, InterruptedException {
        kubelet().send("DELETE", "/machines/" + node, Map.of());
    }

    /** As its kubelet reports after a start. */
    void nodeReady(String node) throws IOException, InterruptedException {
        api().send(
                        "PATCH",
                        "/api/v1/nodes/" + node,
                        Map.of("status", Map.of("conditions", List.of(Map.of("type", "Ready", "status", "True")))));
    }

    /** Starts an upgrade, as an administrator of the cluster does. */
    void upgrade() {
        workload.upgrade(ReleaseVersions.fromTag("registry.test/ocp-release:4.20.4-x86_64"));
    }

    /** As {@link #upgrade}, and the cluster takes its time to retrieve the release. */
    void retrieve() throws IOException, InterruptedException {
        version(Map.of(
                "metadata",
                Map.of("annotations", Map.of("lab.capoa.io/hold", "")),
                "spec",
                Map.of("desiredUpdate", Map.of("version", "4.20.4", "image", "registry.test/ocp-release@sha256:4"))));
    }

    /** As {@code oc adm upgrade --clear}; the cluster ends the retrieval. */
    void clear() throws IOException, InterruptedException {
        Map<String, Object> spec = new HashMap<>();
        spec.put("desiredUpdate", null);
        Map<String, Object> annotations = new HashMap<>();
        annotations.put("lab.capoa.io/hold", null);
        version(Map.of("metadata", Map.of("annotations", annotations), "spec", spec));
    }

    private void version(Map<String, Object> patch) throws IOException, InterruptedException {
        api().send("PATCH", "/apis/config.openshift.io/v1/clusterversions/version", patch);
    }

    /** Completes the upgrade. */
    void upgraded() {
        workload.upgraded();
    }

    /** Makes a cluster operator degraded, or healthy again. */
    void degrade(String operator, boolean degraded) throws IOException, InterruptedException {
        annotate(
                "/apis/config.openshift.io/v1/clusteroperators/" + operator,
                "lab.capoa.io/fail",
                degraded ? "Degraded" : null);
    }

    /** Gives the masters another configuration, and keeps them from taking it; or lets them. */
    void configureMasters(boolean held) throws IOException, InterruptedException {
        String pool = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools/master";
        annotate(pool, "lab.capoa.io/hold", held ? "" : null);
        annotate(pool, "lab.capoa.io/machine-config", "one");
    }

    private void annotate(String path, String annotation, @Nullable String value)
            throws IOException, InterruptedException {
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(annotation, value);
        api().send("PATCH", path, Map.of("metadata", Map.of("annotations", annotations)));
    }

    /** Method and path of each request from now on. */
    List<String> requests() {
        List<String> requests = new CopyOnWriteArrayList<>();
        workload.onRequest(requests::add);
        return requests;
    }

    /** A query for the cluster's health that begins from now on has been answered, as the next one shows. */
    void untilAsked() throws InterruptedException {
        CountDownLatch queries = new CountDownLatch(2);
        workload.onRequest(request -> {
            if (request.equals("GET /readyz")) {
                queries.countDown();
            }
        });
        assertThat(queries.await(ControlPlaneScene.SOON.toSeconds(), TimeUnit.SECONDS))
                .as("queries for the health of the cluster")
                .isTrue();
    }

    private WorkloadApi api() throws IOException {
        return workload.api();
    }

    private WorkloadApi kubelet() throws IOException {
        return WorkloadApi.of(workload.kubeletKubeconfig());
    }

    @Override
    public void close() {
        clusters.close();
    }
}
