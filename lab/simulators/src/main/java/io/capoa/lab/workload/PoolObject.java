package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.Pool;
import io.capoa.lab.upgrade.PoolStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes MachineConfigPools. */
final class PoolObject {

    static final String MASTER = "master";
    static final String ARBITER = "arbiter";
    static final String WORKER = "worker";

    private static final String REQUIRED = "operator.machineconfiguration.openshift.io/required-for-upgrade";
    private static final int HASH_LENGTH = 32;

    private PoolObject() {}

    /** A pool of a new cluster, without status. */
    static Map<String, Object> of(String name) {
        Map<String, Object> object = ReleaseStatus.object(
                Resource.MACHINE_CONFIG_POOLS,
                name,
                Map.of(
                        "machineConfigSelector",
                        Map.of("matchLabels", Map.of("machineconfiguration.openshift.io/role", name)),
                        "nodeSelector",
                        Map.of("matchLabels", Map.of("node-role.kubernetes.io/" + name, "")),
                        "paused",
                        false));
        if (name.equals(MASTER) || name.equals(ARBITER)) {
            ObjectStore.metadata(object).put("labels", new LinkedHashMap<>(Map.of(REQUIRED, "")));
        }
        return object;
    }

    /** Name of a pool's rendered configuration for a release. */
    static String config(String pool, String image) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest((pool + image).getBytes(StandardCharsets.UTF_8));
            return "rendered-" + pool + "-" + HexFormat.of().formatHex(hash).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static Pool read(Map<String, Object> object) {
        String failure = UpgradeFaults.annotation(object, UpgradeFaults.FAIL);
        return new Pool(
                ObjectStore.name(object),
                Boolean.TRUE.equals(Fields.any(object, "spec", "paused")),
                Fields.text(object, "spec", "maxUnavailable"),
                Fields.text(object, "spec", "configuration", "name"),
                UpgradeFaults.isHeld(object),
                failure == null ? "" : failure);
    }

    static boolean isRequired(Map<String, Object> object) {
        return Fields.any(object, "metadata", "labels", REQUIRED) != null;
    }

    /** Whether the pool's selector selects a Node. */
    static boolean selects(Map<String, Object> object, Map<String, Object> node) {
        return Fields.any(object, "spec", "nodeSelector", "matchLabels") instanceof Map<?, ?> labels
                && !labels.isEmpty()
                && labels.entrySet().stream()
                        .allMatch(label -> label.getValue()
                                .equals(Fields.any(node, "metadata", "labels", String.valueOf(label.getKey()))));
    }

    /** The pool of a Node: a master's is master, another's is a custom pool if one selects it. */
    static Optional<String> poolOf(Map<String, Object> node, List<Map<String, Object>> pools) {
        return pools.stream()
                .filter(pool -> selects(pool, node))
                .map(ObjectStore::name)
                .min(java.util.Comparator.comparingInt(PoolObject::precedence).thenComparing(name -> name));
    }

    private static int precedence(String pool) {
        return pool.equals(MASTER) ? 0 : pool.equals(WORKER) ? 2 : 1;
    }

    /** Name of the configuration that was last applied to all nodes; {@code null} before the first. */
    static @Nullable String applied(Map<String, Object> object) {
        String name = Fields.text(object, "status", "configuration", "name");
        return name.isEmpty() ? null : name;
    }

    /** Requests a configuration. */
    static Map<String, Object> request(Map<String, Object> object, String config) {
        Json.merge(object, Map.of("spec", Map.of("configuration", Map.of("name", config))));
        return object;
    }

    /** Writes the status into the object. */
    static Map<String, Object> write(Map<String, Object> object, Pool pool, PoolStatus numbers) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("observedGeneration", Fields.any(object, "metadata", "generation"));
        String applied = numbers.isUpdated() ? pool.target() : applied(object);
        if (applied != null) {
            status.put("configuration", Map.of("name", applied));
        }
        status.put("machineCount", numbers.machines());
        status.put("updatedMachineCount", numbers.updated());
        status.put("readyMachineCount", numbers.ready());
        status.put("unavailableMachineCount", numbers.unavailable());
        status.put("degradedMachineCount", numbers.degraded());
        status.put("conditions", StatusConditions.of(numbers.conditions(), object));
        object.put("status", status);
        return Json.copy(object);
    }
}
