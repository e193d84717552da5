package io.capoa.controlplane.upgrade;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.runtime.status.ReportedConditions;
import java.util.Optional;
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
        return seen == null || version().filter(ClusterVersionState::isUpgraded).isEmpty() ? "" : seen.updatingNodes();
    }

    /** Whether nodes are being updated, for an upgrade or for another configuration. */
    public boolean updatesNodes() {
        return seen != null && !seen.updatingNodes().isEmpty();
    }

    /**
     * Why no Machine of the control plane is up to date: the cluster does not run the wanted release, from the request until
     * all of the control plane has it. Empty if it does. While the cluster does not answer, what was reported stays.
     *
     * @param controlPlane as it was read, with its last status
     * @param upgrade {@code null} if this reconcile has not looked
     */
    public static Optional<String> outdated(
            OpenshiftAssistedControlPlane controlPlane, @Nullable UpgradeOutcome upgrade) {
        Optional<String> runs = upgrade == null ? Optional.empty() : upgrade.runs();
        if (upgrade == null || runs.isEmpty()) {
            return ReportedConditions.in(controlPlane.getStatus())
                    .get(ControlPlaneConditions.MACHINES_UP_TO_DATE)
                    .filter(UpgradeOutcome::isOutdated)
                    .map(Condition::message);
        }
        return upgrade.outdated(controlPlane.getSpec().distributionVersion());
    }

    /** As the other, of a cluster that has answered. */
    public Optional<String> outdated(String target) {
        if (seen == null || seen.isAtRest(target)) {
            return Optional.empty();
        }
        String runs = runs().orElse("another release");
        String desired = version().map(version -> version.desired().version()).orElse("");
        if (!runs.equals(target)) {
            return Optional.of("the cluster runs %s, spec.distributionVersion asks for %s".formatted(runs, target));
        }
        return Optional.of(
                desired.equals(target)
                        ? "the cluster goes back to %s after another release had begun".formatted(target)
                        : "the cluster is being upgraded to %s, spec.distributionVersion asks for %s"
                                .formatted(desired, target));
    }

    /** Whether condition MachinesUpToDate speaks of the release of the cluster, not of differences of Machines. */
    public static boolean isOutdated(Condition upToDate) {
        return upToDate.status().equals(Condition.FALSE)
                && !upToDate.reason().equals(ControlPlaneConditions.MACHINES_NOT_UP_TO_DATE);
    }
}
