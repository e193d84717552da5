package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects of the etcd operator: its status, the members' addresses, the pods. */
final class EtcdObjects {

    static final String NAMESPACE = "openshift-etcd";

    private static final String ENDPOINTS = "etcd-endpoints";

    private EtcdObjects() {}

    static Map<String, Object> endpoints(List<Etcd.Member> members) {
        Map<String, Object> data = new LinkedHashMap<>();
        members.forEach(member -> data.put(Long.toHexString(member.id()), member.address()));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", "ConfigMap");
        object.put("metadata", new LinkedHashMap<>(Map.of("name", ENDPOINTS, "namespace", NAMESPACE)));
        object.put("data", data);
        return Json.copy(object);
    }

    static Map<String, Object> etcd(int members, int healthy) {
        boolean all = members == healthy;
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", Resource.ETCDS.apiVersion());
        object.put("kind", Resource.ETCDS.kind());
        object.put("metadata", new LinkedHashMap<>(Map.of("name", "cluster")));
        object.put("spec", Map.of("managementState", "Managed"));
        object.put(
                "status",
                Map.of(
                        "conditions",
                        List.of(
                                ReleaseStatus.condition(
                                        "EtcdMembersAvailable",
                                        healthy > members / 2 || members == 0 ? "True" : "False",
                                        "EtcdQuorate",
                                        healthy + " of " + members + " members are available"),
                                ReleaseStatus.condition(
                                        "EtcdMembersDegraded",
                                        all ? "False" : "True",
                                        "AsExpected",
                                        all
                                                ? "No unhealthy members found"
                                                : (members - healthy) + " members are unhealthy"))));
        return Json.copy(object);
    }

    static boolean isEtcd(Map<String, Object> pod) {
        return NAMESPACE.equals(Fields.any(pod, "metadata", "namespace"));
    }

    /** The mirror pod of a Node's static etcd pod. */
    static Map<String, Object> pod(String node, String address, boolean ready) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", "etcd-" + node);
        metadata.put("namespace", NAMESPACE);
        metadata.put("labels", Map.of("app", "etcd", "etcd", "true", "k8s-app", "etcd"));
        metadata.put("annotations", Map.of("kubernetes.io/config.mirror", "lab"));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", "Pod");
        object.put("metadata", metadata);
        object.put(
                "spec",
                Map.of("nodeName", node, "containers", List.of(Map.of("name", "etcdctl"), Map.of("name", "etcd"))));
        object.put(
                "status",
                Map.of(
                        "phase",
                        "Running",
                        "podIP",
                        address,
                        "conditions",
                        List.of(ReleaseStatus.condition("Ready", ready ? "True" : "False", "")),
                        "containerStatuses",
                        List.of(container("etcdctl", ready), container("etcd", ready))));
        return Json.copy(object);
    }

    private static Map<String, Object> container(String name, boolean ready) {
        return Map.of("name", name, "ready", ready, "restartCount", 0, "image", "", "imageID", "");
    }
}
