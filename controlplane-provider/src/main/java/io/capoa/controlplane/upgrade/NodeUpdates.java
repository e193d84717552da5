package io.capoa.controlplane.upgrade;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how far clusters are whose machine-config operator updates nodes, and since when. Nodes restart meanwhile, so
 * that no Machine must be replaced because its Node is not ready. Without progress for an hour this no longer holds: the
 * node that the others wait for may be dead, and only its replacement lets them go on.
 */
public final class NodeUpdates {

    /** Longer than a bare-metal host takes to drain and restart. */
    static final Duration WITHOUT_PROGRESS = Duration.ofHours(1);

    private record Seen(String progress, Instant since) {}

    private final Map<ResourceID, Seen> seen = new ConcurrentHashMap<>();
    private final Clock clock;

    public NodeUpdates(Clock clock) {
        this.clock = clock;
    }

    /**
     * How far the nodes of pools are that are being updated and not paused; empty if none is, or none gets on.
     *
     * @param state {@code null}, or with a failure, if the cluster did not answer: then what it said before counts
     */
    public String progress(ResourceID controlPlane, @Nullable ClusterUpgradeState state) {
        Instant now = clock.instant();
        Seen last = seen.compute(controlPlane, (id, before) -> next(before, state, now));
        return last != null && now.isBefore(last.since.plus(WITHOUT_PROGRESS)) ? last.progress : "";
    }

    private static @Nullable Seen next(@Nullable Seen before, @Nullable ClusterUpgradeState state, Instant now) {
        if (state == null || !state.failure().isEmpty()) {
            return before;
        }
        String progress = state.updatingNodes();
        if (progress.isEmpty()) {
            return null;
        }
        return before != null && before.progress.equals(progress) ? before : new Seen(progress, now);
    }

    /** Drops the state of a deleted control plane. */
    public void forget(ResourceID controlPlane) {
        seen.remove(controlPlane);
    }
}
