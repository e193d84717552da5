package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates the cloud controller manager that the user's manifests bring. Its pods run once a control-plane Node exists
 * whose taints they tolerate and their image can be pulled; a running one initialises Nodes of instances that its cloud
 * knows: provider ID, addresses, zone and type, and the taint is removed.
 */
final class CloudControllerManager {

    static final String NAMESPACE = "openshift-cloud-controller-manager";

    /** Images of this registry cannot be pulled. */
    static final String UNREACHABLE = "unreachable.example/";

    private static final String TAINT = "node.cloudprovider.kubernetes.io/uninitialized";
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/master";

    private final Workload workload;
    private final CloudInstances cloud;

    CloudControllerManager(Workload workload, CloudInstances cloud) {
        this.workload = workload;
        this.cloud = cloud;
    }

    /** Reconciles the pods, the status of their Deployments, and Nodes. */
    synchronized void settle() {
        for (Map<String, Object> deployment :
                workload.store().list(Resource.DEPLOYMENTS.path()).items()) {
            if (!NAMESPACE.equals(Fields.any(deployment, "metadata", "namespace"))) {
                continue;
            }
            String waits = waiting(deployment);
            publish(deployment, waits);
            if (waits == null) {
                initialise();
                publish(deployment, waits);
            }
        }
    }

    /** Why its pods do not run; {@code null} if they do. */
    private @Nullable String waiting(Map<String, Object> deployment) {
        List<Map<String, Object>> nodes = nodes().stream()
                .filter(node -> Fields.any(node, "metadata", "labels", CONTROL_PLANE) != null)
                .toList();
        boolean scheduled = nodes.stream().anyMatch(node -> !isUninitialized(node) || tolerates(deployment));
        if (!scheduled) {
            return "Unschedulable";
        }
        String image = String.valueOf(Fields.any(container(deployment), "image"));
        return image.startsWith(UNREACHABLE) ? "ImagePullBackOff" : null;
    }

    private void initialise() {
        for (Map<String, Object> node : nodes()) {
            if (isUninitialized(node)) {
                cloud.find(ObjectStore.name(node)).ifPresent(instance -> initialise(node, instance));
            }
        }
    }

    private void initialise(Map<String, Object> node, CloudInstances.Instance instance) {
        workload.change(Resource.NODES, ObjectStore.name(node), stored -> initialised(stored, instance));
    }

    private static Map<String, Object> initialised(Map<String, Object> node, CloudInstances.Instance instance) {
        boolean named = Fields.any(node, "spec", "providerID") instanceof String id && !id.isEmpty();
        Json.merge(
                node,
                Map.of(
                        "metadata",
                        Map.of(
                                "labels",
                                Map.of(
                                        "topology.kubernetes.io/zone", instance.zone(),
                                        "node.kubernetes.io/instance-type", instance.type())),
                        "spec",
                        // A provider ID that the kubelet has set stays: the field is immutable.
                        named
                                ? Map.of("taints", withoutTaint(node))
                                : Map.of("providerID", instance.providerId(), "taints", withoutTaint(node)),
                        "status",
                        Map.of("addresses", instance.addresses())));
        return Json.copy(node);
    }

    private static List<?> withoutTaint(Map<String, Object> node) {
        return taints(node).stream()
                .filter(taint -> !TAINT.equals(Fields.any(taint, "key")))
                .toList();
    }

    /** Whether a Node still has the taint with which kubelets wait for a cloud controller manager. */
    static boolean isUninitialized(Map<String, Object> node) {
        return taints(node).stream().anyMatch(taint -> TAINT.equals(Fields.any(taint, "key")));
    }

    private static List<?> taints(Map<String, Object> node) {
        return Fields.any(node, "spec", "taints") instanceof List<?> taints ? taints : List.of();
    }

    private static boolean tolerates(Map<String, Object> deployment) {
        return Fields.any(deployment, "spec", "template", "spec", "tolerations") instanceof List<?> tolerations
                && tolerations.stream()
                        .anyMatch(toleration -> TAINT.equals(Fields.any(toleration, "key"))
                                || (Fields.any(toleration, "key") == null
                                        && "Exists".equals(Fields.any(toleration, "operator"))));
    }

    private static Object container(Map<String, Object> deployment) {
        return Fields.any(deployment, "spec", "template", "spec", "containers") instanceof List<?> containers
                        && !containers.isEmpty()
                ? containers.getFirst()
                : Map.of();
    }

    private List<Map<String, Object>> nodes() {
        return workload.store().list(Resource.NODES.path()).items();
    }

    private void publish(Map<String, Object> deployment, @Nullable String waits) {
        int replicas = Fields.any(deployment, "spec", "replicas") instanceof Integer wanted ? wanted : 1;
        int available = waits == null ? replicas : 0;
        Map<String, Object> changed = Json.copy(deployment);
        Json.merge(
                changed,
                Map.of(
                        "status",
                        Map.of(
                                "replicas", replicas,
                                "updatedReplicas", replicas,
                                "readyReplicas", available,
                                "availableReplicas", available,
                                "unavailableReplicas", replicas - available)));
        workload.update(Resource.DEPLOYMENTS, changed);
        IntStream.range(0, replicas).forEach(number -> publishPod(deployment, number, waits));
    }

    private void publishPod(Map<String, Object> deployment, int number, @Nullable String waits) {
        Map<String, Object> pod = pod(deployment, ObjectStore.name(deployment) + "-" + number, waits);
        if (workload.store().get(Resource.PODS.path(), ObjectStore.name(pod)) == null) {
            workload.store().create(Resource.PODS.path(), pod);
        } else {
            workload.update(Resource.PODS, pod);
        }
    }

    private static Map<String, Object> pod(Map<String, Object> deployment, String name, @Nullable String waits) {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", String.valueOf(Fields.any(container(deployment), "name")));
        container.put("image", String.valueOf(Fields.any(container(deployment), "image")));
        container.put("ready", waits == null);
        container.put("restartCount", 0);
        container.put("imageID", "");
        container.put(
                "state",
                "ImagePullBackOff".equals(waits)
                        ? Map.of("waiting", Map.of("reason", waits, "message", "Back-off pulling image"))
                        : waits == null ? Map.of("running", Map.of()) : Map.of());
        boolean unschedulable = "Unschedulable".equals(waits);
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("phase", waits == null ? "Running" : "Pending");
        status.put(
                "conditions",
                List.of(
                        ReleaseStatus.condition(
                                "PodScheduled", unschedulable ? "False" : "True", waits == null ? "" : waits),
                        ReleaseStatus.condition("Ready", waits == null ? "True" : "False", "")));
        status.put("containerStatuses", unschedulable ? List.of() : List.of(container));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", "Pod");
        object.put(
                "metadata",
                new LinkedHashMap<>(Map.of(
                        "name",
                        name,
                        "namespace",
                        NAMESPACE,
                        "labels",
                        Fields.any(deployment, "spec", "template", "metadata", "labels") instanceof Map<?, ?> labels
                                ? labels
                                : Map.of())));
        object.put(
                "spec",
                Map.of("containers", List.of(Map.of("name", container.get("name"), "image", container.get("image")))));
        object.put("status", status);
        return Json.copy(object);
    }
}
