package io.capoa.controlplane.upgrade;

import java.util.Set;

/**
 * A MachineConfigPool.
 *
 * @param held whether its pause is the provider's
 * @param degraded what is wrong with it; empty if nothing is
 * @param machines number of its nodes
 * @param updated number of its nodes that have the latest configuration
 * @param settled whether all its nodes have the configuration that the pool asks for now
 */
public record PoolState(
        String name, boolean paused, boolean held, String degraded, int machines, int updated, boolean settled) {

    /** Pools that an upgrade waits for; no other pool has Nodes that etcd runs on. */
    private static final Set<String> REQUIRED = Set.of("master", "arbiter");

    boolean isRequired() {
        return REQUIRED.contains(name);
    }

    String progress() {
        return "%s %d of %d nodes%s".formatted(name, updated, machines, paused ? " (paused)" : "");
    }
}
