package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.Condition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    /** The etcd operator's object of a new cluster, without status. */
    static Map<String, Object> etcd() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", Resource.ETCDS.apiVersion());
        object.put("kind", Resource.ETCDS.kind());
        object.put("metadata", new LinkedHashMap<>(Map.of("name", "cluster")));
        object.put("spec", Map.of("managementState", "Managed"));
        return Json.copy(object);
    }

    /**
     * The etcd operator's conditions, with its messages.
     *
     * @param nodes that have a member's pod
     * @param revision of these pods
     */
    static List<Condition> conditions(
            List<Etcd.Member> members, Predicate<Etcd.Member> isHealthy, int nodes, int revision) {
        List<Etcd.Member> unhealthy =
                members.stream().filter(isHealthy.negate()).toList();
        int healthy = members.size() - unhealthy.size();
        boolean quorate = members.isEmpty() || healthy > members.size() / 2;
        String message = available(members.size(), unhealthy);
        return List.of(
                Condition.yes("StaticPodsAvailable", "", active(nodes, revision)),
                new Condition(
                        "EtcdMembersAvailable",
                        quorate ? "True" : "False",
                        quorate ? "EtcdQuorate" : "NoQuorum",
                        message),
                members.stream().allMatch(Etcd.Member::started)
                        ? Condition.no("EtcdMembersProgressing", "AsExpected", "No unstarted etcd members found")
                        : Condition.yes("EtcdMembersProgressing", "MembersNotStarted", message),
                unhealthy.isEmpty()
                        ? Condition.no("EtcdMembersDegraded", "AsExpected", "No unhealthy members found")
                        : Condition.yes("EtcdMembersDegraded", "UnhealthyMembers", message));
    }

    private static String active(int nodes, int revision) {
        return "%d nodes are active; %d node%s at revision %d"
                .formatted(nodes, nodes, nodes == 1 ? " is" : "s are", revision);
    }

    private static String available(int members, List<Etcd.Member> unhealthy) {
        return unhealthy.isEmpty()
                ? members + " members are available"
                : (members - unhealthy.size()) + " of " + members + " members are available, "
                        + unhealthy.stream()
                                .map(member ->
                                        member.name() + (member.started() ? " is unhealthy" : " has not started"))
                                .collect(Collectors.joining(", "));
    }

    /** Whether the unsupported override of the quorum guard is set. */
    static boolean isGuardOverridden(@Nullable Map<String, Object> etcd) {
        return etcd != null
                && Boolean.TRUE.equals(Fields.any(
                        etcd,
                        "spec",
                        "unsupportedConfigOverrides",
                        "useUnsupportedUnsafeNonHANonProductionUnstableEtcd"));
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
