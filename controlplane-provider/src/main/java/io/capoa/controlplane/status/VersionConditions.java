package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.controlplane.upgrade.ClusterVersionState;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.runtime.status.Conditions;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conditions of an upgrade, and of a version that is asked for and does not run. */
final class VersionConditions {

    private VersionConditions() {}

    /** Overrides conditions of Machines and release. */
    static void set(Conditions conditions, StepResults results) {
        ControlPlaneObservation observation = results.observation();
        UpgradeOutcome upgrade = results.answers().upgrade();
        if (upgrade != null) {
            upgrade(
                    conditions,
                    upgrade,
                    observation.controlPlane().getSpec().distributionVersion(),
                    results.distributionVersion());
        }
        results.answers().workers().ifPresent(blocker -> conditions.isFalse(WORKERS_FOLLOW_IN_PLACE, blocker));
        boolean moving = upgrade != null && !(upgrade.decision() instanceof UpgradeDecision.AtRest);
        if (observation.installStarted() && !moving) {
            ResolvedRelease release = results.release().known();
            kubernetes(
                            observation.controlPlane().getSpec().version(),
                            running(RunningVersions.of(observation.machines(), release)))
                    .ifPresent(message -> conditions.isFalse(RELEASE_RESOLVED, VERSION_MISMATCH, message));
        }
    }

    /**
     * The conditions of an upgrade.
     *
     * @param runs the release that the cluster runs, as far as it is known
     */
    static void upgrade(Conditions conditions, UpgradeOutcome upgrade, String target, @Nullable String runs) {
        switch (upgrade.decision()) {
            case UpgradeDecision.AtRest atRest -> {
                if (atRest.other() != null) {
                    conditions.isFalse(UPGRADE_AVAILABLE, atRest.other());
                }
                last(conditions, upgrade);
            }
            case UpgradeDecision.Unreachable unreachable ->
                unreachable(conditions, unreachable.message(), runs != null && !runs.equals(target));
            case UpgradeDecision.Blocked blocked -> {
                conditions.isFalse(UPGRADE_AVAILABLE, blocked.blocker());
                last(conditions, upgrade);
                outdated(conditions, upgrade, target, blocked.blocker().reason());
            }
            case UpgradeDecision.Moving moving ->
                progress(conditions, upgrade, target, UPGRADE_IN_PROGRESS, moving.message());
            case UpgradeDecision.Stuck stuck -> progress(conditions, upgrade, target, UPGRADE_FAILED, stuck.message());
            case UpgradeDecision.Withdraw ignored -> last(conditions, upgrade);
            case UpgradeDecision.Change change ->
                progress(conditions, upgrade, target, UPGRADE_IN_PROGRESS, change.message());
        }
    }

    /** The last upgrade, also one of another client. */
    private static void last(Conditions conditions, UpgradeOutcome upgrade) {
        if (upgrade.progress().isPresent()) {
            conditions.isFalse(
                    UPGRADE_COMPLETED, UPGRADE_IN_PROGRESS, upgrade.progress().get());
        } else if (upgrade.version().filter(ClusterVersionState::isUpgraded).isPresent()) {
            conditions.isTrue(UPGRADE_COMPLETED, UPGRADE_COMPLETED, upgrade.following());
        }
    }

    /** An API server that is away for a moment, as in every upgrade, changes no condition. */
    private static void unreachable(Conditions conditions, String message, boolean wanted) {
        conditions.keep(UPGRADE_AVAILABLE);
        conditions.keep(UPGRADE_COMPLETED);
        conditions
                .previous(MACHINES_UP_TO_DATE)
                .filter(UpgradeOutcome::isOutdated)
                .ifPresent(before -> conditions.isFalse(MACHINES_UP_TO_DATE, before.reason(), before.message()));
        if (wanted && conditions.get(UPGRADE_AVAILABLE).isEmpty()) {
            conditions.isUnknown(UPGRADE_AVAILABLE, UPGRADE_CLUSTER_UNREACHABLE, message);
        }
    }

    private static void progress(
            Conditions conditions, UpgradeOutcome upgrade, String target, String reason, String message) {
        conditions.isTrue(UPGRADE_AVAILABLE, UPGRADE_AVAILABLE, "");
        conditions.isFalse(UPGRADE_COMPLETED, reason, message);
        outdated(conditions, upgrade, target, reason);
    }

    private static void outdated(Conditions conditions, UpgradeOutcome upgrade, String target, String reason) {
        upgrade.outdated(target).ifPresent(message -> conditions.isFalse(MACHINES_UP_TO_DATE, reason, message));
    }

    /** The message if the requested Kubernetes version differs from the one of the control plane's nodes. */
    static Optional<String> kubernetes(@Nullable String requested, @Nullable String runs) {
        return requested == null
                        || requested.isEmpty()
                        || runs == null
                        || KubernetesVersion.plain(requested).equals(KubernetesVersion.plain(runs))
                ? Optional.empty()
                : Optional.of("spec.version is %s, but the control plane runs Kubernetes v%s: correct it or remove it"
                        .formatted(requested, KubernetesVersion.plain(runs)));
    }

    /** The oldest version, as in {@code status.version}. */
    private static @Nullable String running(List<StatusVersion> versions) {
        return versions.isEmpty() ? null : versions.getFirst().version();
    }
}
