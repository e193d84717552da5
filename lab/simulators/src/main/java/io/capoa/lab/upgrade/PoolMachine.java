package io.capoa.lab.upgrade;

import io.capoa.lab.upgrade.PoolNode.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state machine of a machine config pool: gives its nodes a new configuration, a few at a time. */
public final class PoolMachine {

    /**
     * A node enters a phase.
     *
     * @param config configuration that it is being given, or has when it is done
     */
    public record Step(String node, Phase phase, String config) {}

    /**
     * What happens now.
     *
     * @param due when something may change without a new observation; empty for never
     */
    public record Next(List<Step> steps, Optional<Instant> due) {}

    private PoolMachine() {}

    /** The steps that are due now. */
    public static Next next(Pool pool, List<PoolNode> nodes, Pace pace, Instant now) {
        List<Step> steps = new ArrayList<>();
        @Nullable Instant due = null;
        for (PoolNode node : nodes) {
            Instant end = end(node, pace);
            Phase phase = after(pool, node, end, now);
            if (phase != node.phase()) {
                steps.add(new Step(node.name(), phase, node.desired()));
            } else if (end != null && now.isBefore(end) && (due == null || end.isBefore(due))) {
                due = end;
            }
        }
        steps.addAll(starts(pool, nodes));
        return new Next(List.copyOf(steps), Optional.ofNullable(due));
    }

    /** When the node's phase ends by itself; {@code null} for never. */
    private static @Nullable Instant end(PoolNode node, Pace pace) {
        if (node.held()) {
            return null;
        }
        return switch (node.phase()) {
            case DRAINING -> node.since().plus(pace.drain());
            case REBOOTING -> node.since().plus(pace.reboot());
            default -> null;
        };
    }

    private static Phase after(Pool pool, PoolNode node, @Nullable Instant end, Instant now) {
        boolean fails = !pool.failure().isEmpty();
        if (node.phase() == Phase.DEGRADED) {
            return fails ? Phase.DEGRADED : Phase.DRAINING;
        }
        if (node.phase() == Phase.DRAINING && fails) {
            return Phase.DEGRADED;
        }
        if (end == null || now.isBefore(end)) {
            return node.phase();
        }
        return node.phase() == Phase.DRAINING ? Phase.REBOOTING : Phase.DONE;
    }

    /** A node that is not available, for whatever reason, takes one of the places. */
    private static List<Step> starts(Pool pool, List<PoolNode> nodes) {
        if (pool.paused() || pool.held()) {
            return List.of();
        }
        int unavailable = (int) nodes.stream().filter(PoolNode::isUnavailable).count();
        return nodes.stream()
                .filter(node -> !node.isUnavailable() && !node.has(pool.target()))
                .sorted(PoolNode.ORDER)
                .limit(Math.max(0, pool.capacity(nodes.size()) - unavailable))
                .map(node -> new Step(node.name(), Phase.DRAINING, pool.target()))
                .toList();
    }
}
