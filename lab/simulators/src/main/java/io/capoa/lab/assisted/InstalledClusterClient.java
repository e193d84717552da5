package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Operations of the service on an installed cluster, with the rights of its administrator. */
final class InstalledClusterClient {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    boolean hasReadyNode(ClusterRecord cluster, String name) throws IOException, InterruptedException {
        Workload workload = cluster.workload;
        if (workload == null) {
            return false;
        }
        WorkloadApi.Answer answer = workload.api().send("GET", "/api/v1/nodes/" + name, Map.of());
        return answer.code() == OK
                && Fields.any(answer.body(), "status", "conditions") instanceof List<?> conditions
                && conditions.stream()
                        .anyMatch(c -> "Ready".equals(Fields.any(c, "type"))
                                && ServiceCondition.TRUE.equals(Fields.any(c, "status")));
    }

    /** Sets the labels of the Agent's spec on the Node; throws {@link IOException} if the cluster rejects it. */
    void labelNode(ClusterRecord cluster, String name, Map<String, Object> labels)
            throws IOException, InterruptedException {
        Workload workload = cluster.workload;
        if (workload == null || labels.isEmpty()) {
            return;
        }
        WorkloadApi.Answer answer =
                workload.api().send("PATCH", "/api/v1/nodes/" + name, Map.of("metadata", Map.of("labels", labels)));
        if (answer.code() != OK) {
            throw new IOException("node " + name + ": the cluster's API replied with " + answer.code());
        }
    }

    /** Deletes the Node; throws {@link IOException} if the cluster rejects it or has no kubeconfig yet. */
    void deleteNode(ClusterRecord cluster, String name) throws IOException, InterruptedException {
        Workload workload = cluster.workload;
        if (workload == null) {
            throw new IOException("failed to get secret " + cluster.key + "-admin-kubeconfig: not found");
        }
        WorkloadApi.Answer answer = workload.api().send("DELETE", "/api/v1/nodes/" + name, Map.of());
        if (answer.code() != OK && answer.code() != NOT_FOUND) {
            throw new IOException("node " + name + ": the cluster's API replied with " + answer.code());
        }
    }
}
