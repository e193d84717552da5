package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The etcd of a cluster and the operator that looks after it: a control-plane node that joins becomes a member; the
 * member of a node that is gone is removed, if a majority of the others is well.
 */
final class Etcd {

    private static final String CONTROL_PLANE = "node-role.kubernetes.io/master";
    private static final String ENDPOINTS = "etcd-endpoints";

    private final Workload workload;
    private final SortedMap<String, String> members = new TreeMap<>();

    Etcd(Workload workload) {
        this.workload = workload;
        ObjectStore store = workload.store();
        store.create(Resource.ETCDS.path(), etcd(0, 0));
        store.create(Resource.CONFIG_MAPS.path(), endpoints());
    }

    /** Follows the nodes. */
    synchronized void nodesChanged() {
        SortedMap<String, String> nodes = new TreeMap<>();
        int healthy = 0;
        for (Map<String, Object> node :
                workload.store().list(Resource.NODES.path()).items()) {
            if (Fields.any(node, "metadata", "labels", CONTROL_PLANE) != null) {
                nodes.put(ObjectStore.name(node), address(node));
                healthy += isReady(node) ? 1 : 0;
            }
        }
        members.putAll(nodes);
        boolean quorum = healthy > nodes.size() / 2;
        if (quorum) {
            members.keySet().retainAll(nodes.keySet());
        }
        workload.update(Resource.CONFIG_MAPS, endpoints());
        workload.update(Resource.ETCDS, etcd(members.size(), Math.min(healthy, members.size())));
    }

    private Map<String, Object> endpoints() {
        Map<String, Object> data = new LinkedHashMap<>();
        members.forEach((name, address) -> data.put(Integer.toHexString(name.hashCode()), address));
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", "ConfigMap");
        object.put("metadata", new LinkedHashMap<>(Map.of("name", ENDPOINTS, "namespace", "openshift-etcd")));
        object.put("data", data);
        return Json.copy(object);
    }

    private static Map<String, Object> etcd(int members, int healthy) {
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
                                Workload.condition(
                                        "EtcdMembersAvailable",
                                        healthy > members / 2 || members == 0 ? "True" : "False",
                                        "EtcdQuorate",
                                        healthy + " of " + members + " members are available"),
                                Workload.condition(
                                        "EtcdMembersDegraded",
                                        all ? "False" : "True",
                                        "AsExpected",
                                        all
                                                ? "No unhealthy members found"
                                                : (members - healthy) + " members are unhealthy"))));
        return Json.copy(object);
    }

    private static String address(Map<String, Object> node) {
        return Fields.any(node, "status", "addresses") instanceof List<?> addresses
                ? addresses.stream()
                        .filter(address -> "InternalIP".equals(Fields.any(address, "type")))
                        .map(address -> String.valueOf(Fields.any(address, "address")))
                        .findFirst()
                        .orElse("")
                : "";
    }

    private static boolean isReady(Map<String, Object> node) {
        return Fields.any(node, "status", "conditions") instanceof List<?> conditions
                && conditions.stream()
                        .anyMatch(condition -> "Ready".equals(Fields.any(condition, "type"))
                                && "True".equals(Fields.any(condition, "status")));
    }
}
