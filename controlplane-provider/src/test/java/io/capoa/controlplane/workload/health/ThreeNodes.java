package io.capoa.controlplane.workload.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.capoa.controlplane.workload.client.WorkloadClusterAccess;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Fixture: a simulated cluster with the control plane Nodes n-0, n-1 and n-2. */
public final class ThreeNodes implements AutoCloseable {

    private final WorkloadClusters clusters;
    public final Workload workload;

    public ThreeNodes(Delays delays) throws IOException, InterruptedException {
        clusters = new WorkloadClusters(0, delays).start();
        workload = install(clusters, "one");
    }

    /** Another such cluster. */
    static Workload install(WorkloadClusters clusters, String id) throws IOException, InterruptedException {
        Workload workload = clusters.create(id, ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
        WorkloadApi kubelet = WorkloadApi.of(workload.kubeletKubeconfig());
        for (String node : List.of("n-0", "n-1", "n-2")) {
            kubelet.send("PUT", "/machines/" + node + "?role=master", Map.of());
            kubelet.send(
                    "POST",
                    "/api/v1/nodes",
                    Map.of(
                            "metadata",
                            Map.of("name", node, "labels", Map.of("node-role.kubernetes.io/master", "")),
                            "status",
                            Map.of(
                                    "addresses",
                                    List.of(Map.of("type", "InternalIP", "address", "192.0.2.1" + node.charAt(2))),
                                    "conditions",
                                    List.of(Map.of("type", "Ready", "status", "True")))));
        }
        return workload;
    }

    /** In base64. */
    public String kubeconfig() {
        return kubeconfig(workload);
    }

    static String kubeconfig(Workload workload) {
        return Base64.getEncoder().encodeToString(workload.kubeconfig().getBytes(UTF_8));
    }

    /** Stops the host of a Node. */
    public void powerOff(String node) throws IOException, InterruptedException {
        WorkloadApi.of(workload.kubeletKubeconfig()).send("DELETE", "/machines/" + node, Map.of());
    }

    /** Until ClusterOperator etcd has the message in a condition. */
    void awaitEtcdReport(String message) {
        await().pollInterval(Duration.ofMillis(20))
                .until(() -> workload.api()
                        .send("GET", "/apis/config.openshift.io/v1/clusteroperators/etcd", Map.of())
                        .toString()
                        .contains(message));
    }

    @Override
    public void close() {
        WorkloadClusterAccess.retire(kubeconfig());
        clusters.close();
    }
}
