package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.AdminAcks;
import io.capoa.lab.upgrade.Condition;
import io.capoa.lab.upgrade.KubeletSkew;
import io.capoa.lab.upgrade.Observation.Pools;
import io.capoa.lab.upgrade.Operators;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What keeps a cluster from the next minor release. */
final class ClusterBlockers {

    static final String GATES = "admin-gates";
    static final String ACKS = "admin-acks";

    private static final String UPGRADEABLE = "Upgradeable";

    private final ObjectStore store;

    ClusterBlockers(ObjectStore store) {
        this.store = store;
    }

    /** The ConfigMaps that every release creates. */
    static List<Map<String, Object>> configMaps() {
        return List.of(configMap("openshift-config-managed", GATES), configMap("openshift-config", ACKS));
    }

    private static Map<String, Object> configMap(String namespace, String name) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "v1");
        object.put("kind", "ConfigMap");
        object.put("metadata", new LinkedHashMap<>(Map.of("name", name, "namespace", namespace)));
        object.put("data", new LinkedHashMap<>());
        return object;
    }

    /** Condition Upgradeable=False by cluster operator. */
    Map<String, Condition> byOperator(String running, String apiServer, Pools pools) {
        Map<String, Condition> blockers = new TreeMap<>();
        for (Map<String, Object> operator :
                store.list(Resource.CLUSTER_OPERATORS.path()).items()) {
            String name = ObjectStore.name(operator);
            if (UPGRADEABLE.equals(UpgradeFaults.annotation(operator, UpgradeFaults.FAIL))) {
                blockers.put(name, no("OperatorNotUpgradeable", name + " does not support the next minor release"));
            }
        }
        List<String> kubelets = store.list(Resource.NODES.path()).items().stream()
                .map(PoolNodeObject::kubelet)
                .toList();
        KubeletSkew.blocker(running, apiServer, kubelets)
                .ifPresent(condition -> blockers.put(Operators.KUBE_APISERVER, condition));
        if (pools == Pools.DEGRADED) {
            blockers.put(
                    Operators.MACHINE_CONFIG,
                    no("DegradedPool", "One or more machine config pools are degraded, please see `oc get mcp`"));
        }
        return blockers;
    }

    /** Conditions Upgradeable=False of the cluster. */
    List<Condition> ofCluster(String running, Map<String, Condition> operators) {
        List<Condition> blockers = new ArrayList<>();
        AdminAcks.blocker(data(GATES), data(ACKS), running).ifPresent(blockers::add);
        if (!operators.isEmpty()) {
            String message = operators.entrySet().stream()
                    .map(operator -> "Cluster operator %s should not be upgraded between minor versions: %s"
                            .formatted(operator.getKey(), operator.getValue().message()))
                    .collect(Collectors.joining("\n"));
            String reason = operators.size() > 1
                    ? "ClusterOperatorsNotUpgradeable"
                    : operators.values().iterator().next().reason();
            blockers.add(no(reason, message));
        }
        return blockers;
    }

    private Optional<Map<String, String>> data(String name) {
        Map<String, Object> object = store.get(Resource.CONFIG_MAPS.path(), name);
        return Optional.ofNullable(object).map(found -> {
            Map<String, String> data = new LinkedHashMap<>();
            if (Fields.any(found, "data") instanceof Map<?, ?> map) {
                map.forEach((key, value) -> data.put(String.valueOf(key), String.valueOf(value)));
            }
            return data;
        });
    }

    private static Condition no(String reason, String message) {
        return Condition.no(UPGRADEABLE, reason, message);
    }
}
