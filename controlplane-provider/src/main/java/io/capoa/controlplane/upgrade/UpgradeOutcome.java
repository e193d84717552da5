package io.capoa.controlplane.upgrade;

import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a reconcile found out about the upgrade of an installed cluster, and did for it.
 *
 * @param decision a {@link UpgradeDecision.Change} has been made
 * @param seen what the cluster says; {@code null} if it has not answered this process yet
 */
public record UpgradeOutcome(
        UpgradeDecision decision, @Nullable ClusterUpgradeState seen) {

    /** The release that the cluster runs; empty if it has not said. */
    public Optional<String> runs() {
        return version()
                .flatMap(ClusterVersionState::running)
                .map(ReleaseName::version)
                .filter(version -> !version.isEmpty());
    }

    /** What the ClusterVersion says; empty if the cluster has not answered. */
    public Optional<ClusterVersionState> version() {
        return seen == null ? Optional.empty() : Optional.ofNullable(seen.version());
    }

    /** Whether the cluster moves to another release, or was just asked to. */
    public boolean isMoving() {
        return decision instanceof UpgradeDecision.Request || (seen != null && seen.isMoving());
    }

    /** How far a release on its way is, whoever asked for it; empty if none is. */
    public Optional<String> progress() {
        return seen == null
                ? Optional.empty()
                : version()
                        .filter(ClusterVersionState::isMoving)
                        .map(version -> "upgrading to %s: %s"
                                .formatted(version.desired().version(), UpgradeProgress.of(seen, version)));
    }

    /** How far the nodes are that follow a complete upgrade; empty if none is left, or there was no upgrade. */
    public String following() {
        return seen == null || version().filter(ClusterVersionState::isUpgraded).isEmpty()
                ? ""
                : seen.unsettled().stream().map(PoolState::progress).collect(Collectors.joining(", "));
    }

    /** Number of control plane nodes that have the latest configuration of the cluster; zero before the upgrade. */
    public int updatedNodes() {
        return seen == null || !isMoving()
                ? 0
                : seen.pools().stream()
                        .filter(PoolState::isRequired)
                        .mapToInt(PoolState::updated)
                        .sum();
    }
}
