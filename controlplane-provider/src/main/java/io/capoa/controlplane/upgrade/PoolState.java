package io.capoa.controlplane.upgrade;

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

    static final String MASTER = "master";

    boolean isMaster() {
        return name.equals(MASTER);
    }

    String progress() {
        return "%s %d of %d nodes%s".formatted(name, updated, machines, paused ? " (paused)" : "");
    }
}
