package io.capoa.controlplane.workload;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queries for the health of one control plane. As long as all is well, and nothing has changed that the management
 * cluster knows of, two of three only ask whether the API server takes requests, which it does not without etcd's majority:
 * a snapshot costs eight requests and a command in a pod.
 */
public final class HealthRounds {

    private static final int BRIEF = 2;

    private @Nullable ControlPlaneHealth snapshot;
    private @Nullable Object circumstances;
    private int brief;

    /**
     * The health now.
     *
     * @param known what the management cluster knows about the control plane, compared by value with what it knew before
     */
    ControlPlaneHealth next(Object known, Supplier<ControlPlaneHealth> whole, Supplier<ApiServerReadiness> readiness) {
        if (!wasWell()) {
            return keep(known, whole.get());
        }
        // Before a snapshot, too: a connection that the last query left may lead nowhere now, and ends with this
        // question.
        boolean ready = readiness.get().ready();
        ControlPlaneHealth before = ready ? kept(known) : null;
        return before != null ? before : keep(known, whole.get());
    }

    private synchronized boolean wasWell() {
        return snapshot != null && snapshot.isWell();
    }

    /** The snapshot if this round may be a brief one. */
    private synchronized @Nullable ControlPlaneHealth kept(Object known) {
        if (!known.equals(circumstances) || brief == BRIEF) {
            return null;
        }
        brief++;
        return snapshot;
    }

    private synchronized ControlPlaneHealth keep(Object known, ControlPlaneHealth health) {
        snapshot = health;
        circumstances = known;
        brief = 0;
        return health;
    }
}
