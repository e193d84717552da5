package io.capoa.controlplane.upgrade;

import io.capoa.api.Annotations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which MachineConfigPools of workers are paused because the spec says so, and which go on. Pauses of the user stay: an
 * annotation marks those of the provider.
 */
public final class PoolPauses {

    /**
     * A change of a MachineConfigPool.
     *
     * @param pause whether it is paused, else it goes on
     */
    public record PoolPatch(String pool, boolean pause) {

        /** What is done, for people. */
        public String message() {
            return (pause ? "pausing MachineConfigPool " : "ending the pause of MachineConfigPool ") + pool;
        }

        /** JSON merge patch of the pool. */
        public Map<String, Object> patch(String controlPlane) {
            Map<String, Object> annotations = new HashMap<>();
            annotations.put(Annotations.PAUSED_FOR_UPGRADE, pause ? controlPlane : null);
            return Map.of("metadata", Map.of("annotations", annotations), "spec", Map.of("paused", pause));
        }
    }

    private PoolPauses() {}

    /** The changes that the spec asks for; none while the cluster has not answered. */
    public static List<PoolPatch> changes(UpgradeRequest request, @Nullable ClusterUpgradeState seen) {
        List<PoolPatch> changes = new ArrayList<>();
        for (PoolState pool : seen == null ? List.<PoolState>of() : seen.pools()) {
            boolean wanted = request.pausedWorkerPools().contains(pool.name()) && !pool.isRequired();
            if (wanted && !pool.paused()) {
                changes.add(new PoolPatch(pool.name(), true));
            } else if (!wanted && pool.held()) {
                changes.add(new PoolPatch(pool.name(), false));
            }
        }
        return changes;
    }

    /** A name in the spec that is no pool of the cluster; {@code null} if there is none, or the cluster has not answered. */
    public static @Nullable String unknown(UpgradeRequest request, @Nullable ClusterUpgradeState seen) {
        return seen == null || seen.pools().isEmpty()
                ? null
                : request.pausedWorkerPools().stream()
                        .filter(name -> seen.pools().stream()
                                .noneMatch(pool -> pool.name().equals(name)))
                        .findFirst()
                        .map(name ->
                                "spec.upgrade.pausedWorkerPools names %s, and the cluster has no such MachineConfigPool:"
                                                .formatted(name)
                                        + " correct the name or remove it")
                        .orElse(null);
    }
}
