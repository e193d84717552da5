package io.capoa.lab.upgrade;

import java.util.List;

/** Status of a machine config pool: the numbers of its nodes, and its conditions. */
public record PoolStatus(
        int machines, int updated, int ready, int unavailable, int degraded, List<Condition> conditions) {

    public static PoolStatus of(Pool pool, List<PoolNode> nodes) {
        int updated = count(nodes, pool, false);
        int ready = count(nodes, pool, true);
        int unavailable = (int) nodes.stream().filter(PoolNode::isUnavailable).count();
        List<PoolNode> degraded = nodes.stream()
                .filter(node -> node.phase() == PoolNode.Phase.DEGRADED)
                .toList();
        boolean all = updated == nodes.size() && ready == nodes.size() && unavailable == 0;
        return new PoolStatus(
                nodes.size(), updated, ready, unavailable, degraded.size(), conditions(pool, all, degraded));
    }

    /** Whether every node has the pool's configuration and is available. */
    public boolean isUpdated() {
        return updated == machines && ready == machines && unavailable == 0;
    }

    private static int count(List<PoolNode> nodes, Pool pool, boolean onlyReady) {
        return (int) nodes.stream()
                .filter(node -> node.has(pool.target()) && (node.ready() || !onlyReady))
                .count();
    }

    private static List<Condition> conditions(Pool pool, boolean all, List<PoolNode> degraded) {
        Condition updated = all
                ? Condition.yes("Updated", "", "All nodes are updated with " + pool.target())
                : Condition.no(
                        "Updated", "", pool.paused() ? "Pool is paused; will not update to " + pool.target() : "");
        Condition updating = all || pool.paused()
                ? Condition.no("Updating", "", "")
                : Condition.yes("Updating", "", "All nodes are updating to " + pool.target());
        String failure = degraded.isEmpty()
                ? ""
                : "Node %s is reporting: \"%s\"".formatted(degraded.getFirst().name(), pool.failure());
        // The reason of NodeDegraded is a sentence in the real operator, too.
        Condition nodes = degraded.isEmpty()
                ? Condition.no("NodeDegraded", "", "")
                : Condition.yes(
                        "NodeDegraded", degraded.size() + " nodes are reporting degraded status on sync", failure);
        return List.of(
                Condition.no("RenderDegraded", "", ""),
                nodes,
                new Condition("Degraded", degraded.isEmpty() ? "False" : "True", "", ""),
                updated,
                updating);
    }
}
