package io.capoa.lab.host;

import io.capoa.lab.workload.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A Node as its kubelet registers it. */
public final class NodeObject {

    private NodeObject() {}

    /**
     * The ready Node of a host.
     *
     * @param spec its provider ID and taints
     * @param version of the kubelet, such as {@code v1.33.5}
     */
    public static Map<String, Object> of(
            String name, Map<String, Object> labels, Map<String, Object> spec, List<String> addresses, String version) {
        List<Map<String, String>> nodeAddresses = new ArrayList<>();
        addresses.forEach(a -> nodeAddresses.add(Map.of("type", "InternalIP", "address", a)));
        nodeAddresses.add(Map.of("type", "Hostname", "address", name));
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        List<Map<String, String>> conditions = List.of(
                condition("Ready", "True", "KubeletReady", "kubelet is posting ready status", now),
                condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "memory is sufficient", now),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "there is no disk pressure", now),
                condition("PIDPressure", "False", "KubeletHasSufficientPID", "process ids are sufficient", now));
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("apiVersion", "v1");
        node.put("kind", "Node");
        node.put("metadata", Map.of("name", name, "labels", labels));
        node.put("spec", spec);
        node.put(
                "status",
                Map.of(
                        "conditions", conditions,
                        "addresses", nodeAddresses,
                        "nodeInfo",
                                Map.of(
                                        "kubeletVersion", version,
                                        "osImage", "Red Hat Enterprise Linux CoreOS",
                                        "architecture", "amd64",
                                        "operatingSystem", "linux")));
        return Json.copy(node);
    }

    private static Map<String, String> condition(
            String type, String status, String reason, String message, String now) {
        return Map.of(
                "type", type,
                "status", status,
                "reason", reason,
                "message", message,
                "lastHeartbeatTime", now,
                "lastTransitionTime", now);
    }
}
