package io.capoa.controlplane.workload.health;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.health.ControlPlaneHealth.Loss;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the health of an installed control plane, and for how long its cluster has not been usable. The
 * length of an outage is the time between two queries that found it, so a slow reconcile never makes it longer.
 *
 * @param seen the latest snapshot; {@code null} if the cluster has not been asked yet
 * @param lostSince when the first query of the outage began; {@code null} if there is none
 */
public record HealthJudgement(
        @Nullable Observed<ControlPlaneHealth> seen,
        @Nullable Instant lostSince) {

    /** An outage this long makes the health unknown. Its start is then recorded by conditions. */
    public static final Duration NOTICEABLE = Duration.ofSeconds(10);

    /** An outage this long makes the control plane unavailable; API servers restart within it during an upgrade. */
    public static final Duration LASTING = Duration.ofMinutes(1);

    /** How often a younger outage is judged again: an unchanged answer does not requeue. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** Reasons of conditions that report an outage. */
    public static final Set<String> OUTAGES = Set.of(
            ControlPlaneConditions.API_SERVER_UNREACHABLE,
            ControlPlaneConditions.KUBECONFIG_REFUSED,
            ControlPlaneConditions.ETCD_MAJORITY_LOST,
            ControlPlaneConditions.CONNECTION_DOWN);

    /** Nothing is known. */
    public static final HealthJudgement NONE = new HealthJudgement(null, null);

    /** What is lost now, for however short a time; {@link Loss#NONE} if nothing is known. */
    public Loss loss() {
        return seen == null ? Loss.NONE : seen.value().loss();
    }

    /** Whether something has been lost for at least this time. */
    public boolean isLostFor(Duration time) {
        return seen != null
                && lostSince != null
                && loss() != Loss.NONE
                && !lostSince.plus(time).isAfter(seen.at());
    }

    /** When to judge again although no answer changes; {@code null} if never. */
    public @Nullable Duration again() {
        return loss() != Loss.NONE && !isLostFor(LASTING) ? AGAIN : null;
    }
}
