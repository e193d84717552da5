package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Simulates the static pods of kube-apiserver: one on each control plane Node, which runs while its host does. */
final class KubeApiServers {

    /** Annotation of a Node: why the container does not run, such as {@code CrashLoopBackOff}. */
    static final String FAILS = "lab.capoa.io/kube-apiserver";

    static final String NAMESPACE = "openshift-kube-apiserver";

    private static final String MASTER = "node-role.kubernetes.io/master";
    private static final String CONTAINER = "kube-apiserver";

    private final Workload workload;

    KubeApiServers(Workload workload) {
        this.workload = workload;
    }

    /** Reconciles the mirror pods with Nodes and power. */
    void settle() {
        List<Map<String, Object>> wanted = workload.store().list(Resource.NODES.path()).items().stream()
                .filter(node -> Fields.any(node, "metadata", "labels", MASTER) != null
                        && Fields.any(node, "metadata", "deletionTimestamp") == null)
                .map(this::pod)
                .toList();
        workload.publishPods(NAMESPACE, wanted);
    }

    private Map<String, Object> pod(Map<String, Object> node) {
        String name = ObjectStore.name(node);
        String failure = UpgradeFaults.annotation(node, FAILS);
        boolean ready = failure == null && workload.runs(name);
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", CONTAINER + "-" + name);
        metadata.put("namespace", NAMESPACE);
        metadata.put("labels", Map.of("app", "openshift-kube-apiserver", "apiserver", "true"));
        metadata.put("annotations", Map.of("kubernetes.io/config.mirror", "lab"));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", "Pod");
        object.put("metadata", metadata);
        object.put("spec", Map.of("nodeName", name, "containers", List.of(Map.of("name", CONTAINER))));
        object.put(
                "status",
                Map.of(
                        "phase",
                        "Running",
                        "conditions",
                        List.of(ReleaseStatus.condition("Ready", ready ? "True" : "False", "")),
                        "containerStatuses",
                        List.of(Map.of(
                                "name",
                                CONTAINER,
                                "ready",
                                ready,
                                "state",
                                failure == null ? Map.of() : Map.of("waiting", Map.of("reason", failure))))));
        return Json.copy(object);
    }
}
