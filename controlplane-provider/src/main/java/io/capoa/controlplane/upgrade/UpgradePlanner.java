package io.capoa.controlplane.upgrade;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.capoa.controlplane.release.DistributionVersion;
import io.capoa.controlplane.upgrade.UpgradeDecision.AtRest;
import io.capoa.controlplane.upgrade.UpgradeDecision.Blocked;
import io.capoa.controlplane.upgrade.UpgradeDecision.Moving;
import io.capoa.controlplane.upgrade.UpgradeDecision.Stuck;
import io.capoa.controlplane.upgrade.UpgradeDecision.Unreachable;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step of an upgrade from what the cluster says. It follows {@code oc adm upgrade}: an update that
 * another client began is followed and never replaced, and the release is asked for by version and digest together.
 */
public final class UpgradePlanner {

    private final UpgradeRequest request;
    private final ClusterUpgradeState seen;
    private final ClusterVersionState version;
    private final ReleaseName running;

    private UpgradePlanner(
            UpgradeRequest request, ClusterUpgradeState seen, ClusterVersionState version, ReleaseName running) {
        this.request = request;
        this.seen = seen;
        this.version = version;
        this.running = running;
    }

    /**
     * Decides.
     *
     * @param seen {@code null} if the cluster has not answered yet
     */
    public static UpgradeDecision next(UpgradeRequest request, @Nullable ClusterUpgradeState seen) {
        if (seen == null) {
            return new Unreachable("waiting for the API of the cluster");
        }
        if (!seen.failure().isEmpty()) {
            return new Unreachable("the API of the cluster does not answer: " + seen.failure());
        }
        ClusterVersionState version = seen.version();
        Optional<ReleaseName> running = version == null ? Optional.empty() : version.running();
        return version == null || running.isEmpty()
                ? new Unreachable("the cluster has not reported a release yet")
                : new UpgradePlanner(request, seen, version, running.get()).next();
    }

    private UpgradeDecision next() {
        UpgradeDecision withdrawal = withdrawal();
        if (withdrawal != null) {
            return withdrawal;
        }
        if (version.isMoving()) {
            return moving();
        }
        if (running.version().equals(request.target())) {
            return new AtRest(alsoAsked());
        }
        if (!version.observed()) {
            return new Moving("the cluster has not seen the latest change of its ClusterVersion yet");
        }
        return pending()
                .or(this::unconfirmed)
                .or(() -> Optional.ofNullable(preflight()))
                .orElseGet(this::path);
    }

    /**
     * Takes back what the spec no longer names: the cluster tries a refused request for ever, and would take it as soon as
     * the obstacle goes. While the cluster moves, a ClusterVersion without request would send an operator back that has not
     * been replaced yet; then the release that it moves to is asked for instead, or the withdrawal waits. So it does while the
     * cluster checks a release that it can be sent on from: a check is finished first, and what it accepts begun.
     */
    private @Nullable UpgradeDecision withdrawal() {
        ReleaseName abandoned = version.pending()
                .filter(release -> version.own() && !release.version().equals(request.target()))
                .filter(release -> !version.isChecking() || !isPatchOf(release))
                .orElse(null);
        if (abandoned == null) {
            return null;
        }
        if (!version.isMoving()) {
            return new UpgradeDecision.Withdraw(abandoned);
        }
        return version.desired().version().equals(request.target())
                ? new UpgradeDecision.Request(version.desired(), request.isForced())
                : null;
    }

    /** What is asked for beside the release that the cluster runs. */
    private @Nullable Blocker alsoAsked() {
        ReleaseName requested = version.pending().orElse(null);
        if (requested != null && version.isChecking()) {
            return toOther(requested.shown());
        }
        if (requested != null && version.refusal().isPresent()) {
            return new Blocker(
                    UPGRADE_TO_OTHER_RELEASE,
                    "another client has requested release %1$s, and the cluster will upgrade to it as soon as it no longer refuses it: %2$s; take the request back by oc adm upgrade --clear, or set spec.distributionVersion to that release"
                            .formatted(requested.shown(), said(version.refusal().get())));
        }
        return seen.isSettled(request.target())
                ? request.kubernetes().atRest(request.target()).orElse(null)
                : null;
    }

    /** Nothing is written before the release confirms the Kubernetes version that is asked for beside it. */
    private Optional<UpgradeDecision> unconfirmed() {
        return request.kubernetes().blocker(request.target(), request.image()).map(Blocked::new);
    }

    /** The decision while the cluster still works on the request, or refuses ours. */
    private Optional<UpgradeDecision> pending() {
        ReleaseName requested = version.pending().orElse(null);
        if (requested == null) {
            return Optional.empty();
        }
        boolean wanted = requested.version().equals(request.target());
        if (version.isChecking()) {
            return Optional.of(
                    wanted
                            ? new Moving("the cluster checks release " + request.target())
                            : new Blocked(toOther(requested.shown())));
        }
        return version.refusal()
                .filter(refusal -> wanted && !requested.image().isEmpty() && version.forced() == request.isForced())
                .map(refusal -> new Stuck(
                        "the cluster refuses release %s: %s; make the release available and signed, or set spec.distributionVersion to %s"
                                .formatted(request.target(), said(refusal), running.version())));
    }

    private UpgradeDecision moving() {
        ReleaseName to = version.desired();
        Optional<ConditionView> failing = version.condition("Failing", Condition.TRUE);
        if (to.version().equals(request.target())) {
            String progress = UpgradeProgress.of(seen, version);
            return failing.<UpgradeDecision>map(failure -> new Stuck("the upgrade to %s does not get on: %s; %s"
                            .formatted(to.version(), said(failure), progress)))
                    .orElseGet(() -> new Moving("upgrading to %s: %s".formatted(to.version(), progress)));
        }
        return isPatchOf(to)
                ? pending()
                        .or(this::unconfirmed)
                        .or(() -> Optional.ofNullable(unready()))
                        .orElseGet(this::offered)
                : new Blocked(toOther(to.version()));
    }

    /** The cluster may be sent on to a later patch of the minor version that it moves to. */
    private boolean isPatchOf(ReleaseName to) {
        Optional<DistributionVersion> target = DistributionVersion.parse(request.target());
        Optional<DistributionVersion> moving = DistributionVersion.parse(to.version());
        return target.isPresent()
                && moving.isPresent()
                && isSameMinor(target.get(), moving.get())
                && target.get().compareTo(moving.get()) > 0;
    }

    private static Blocker toOther(String to) {
        return new Blocker(
                UPGRADE_TO_OTHER_RELEASE,
                "the cluster is being upgraded to %s: wait until that is complete, or set spec.distributionVersion to %s"
                        .formatted(to, to));
    }

    private @Nullable UpgradeDecision preflight() {
        if (request.obstacle() != null) {
            return UpgradeDecision.waiting(request.obstacle());
        }
        return version.condition("Failing", Condition.TRUE)
                .filter(failing -> !request.isWantedWithWarnings())
                .map(failing -> UpgradeDecision.waiting("the cluster reports a failure of its present release: %s; %s"
                        .formatted(said(failing), repair())))
                .orElseGet(this::unready);
    }

    private String repair() {
        return "repair it first; if the upgrade is what repairs it, set annotation %s=%s"
                .formatted(Annotations.UPGRADE_WITH_WARNINGS, request.target());
    }

    private @Nullable UpgradeDecision unready() {
        for (PoolState pool : seen.pools()) {
            if (!pool.degraded().isEmpty() && !request.isWantedWithWarnings()) {
                return blocked(
                        UPGRADE_POOL_NOT_READY,
                        "MachineConfigPool %s is degraded: %s; %s".formatted(pool.name(), pool.degraded(), repair()));
            }
            if (pool.isRequired() && pool.paused()) {
                return blocked(
                        UPGRADE_POOL_NOT_READY,
                        "MachineConfigPool %s is paused, and the upgrade would never end: set its spec.paused to false"
                                .formatted(pool.name()));
            }
        }
        return null;
    }

    private UpgradeDecision path() {
        Optional<DistributionVersion> target = DistributionVersion.parse(request.target());
        Optional<DistributionVersion> from = DistributionVersion.parse(running.version());
        if (target.isEmpty() || from.isEmpty()) {
            return blocked(
                    UPGRADE_PATH_UNSUPPORTED,
                    "spec.distributionVersion %s cannot be compared with %s, which the cluster runs: name a release by number"
                            .formatted(request.target(), running.version()));
        }
        if (target.get().compareTo(from.get()) < 0) {
            return rollback(target.get(), from.get());
        }
        if (skips(target.get(), from.get()) && offeredTarget().isEmpty()) {
            return blocked(
                    UPGRADE_PATH_UNSUPPORTED,
                    "the cluster runs %s, and minor versions cannot be skipped: upgrade to a release of %d.%d first"
                            .formatted(
                                    running.version(),
                                    from.get().major(),
                                    from.get().minor() + 1));
        }
        String channel = request.channel();
        if (channel != null && !channel.equals(version.channel())) {
            return new UpgradeDecision.SetChannel(channel);
        }
        boolean patch = isSameMinor(target.get(), from.get());
        return Optional.ofNullable(patch || request.isForced() ? null : notUpgradeable(from.get()))
                .orElseGet(this::offered);
    }

    /**
     * Whether the release is not one of the next minor version. The first minor version of the next major one may be that:
     * which versions a major one has, only the cluster's update service knows.
     */
    private static boolean skips(DistributionVersion target, DistributionVersion from) {
        return target.major() == from.major()
                ? target.minor() > from.minor() + 1
                : target.major() > from.major() + 1 || target.minor() > 0;
    }

    /**
     * The cluster goes back to the release before, within a minor version, and only if the user says so: usually an
     * administrator has upgraded the cluster, and the spec has not followed yet.
     */
    private UpgradeDecision rollback(DistributionVersion target, DistributionVersion from) {
        Optional<ReleaseName> previous = version.previous()
                .filter(release -> release.version().equals(request.target()))
                .filter(release -> !release.image().isEmpty());
        if (previous.isEmpty() || !isSameMinor(target, from)) {
            return blocked(
                    UPGRADE_PATH_UNSUPPORTED,
                    "the cluster runs %s and cannot go back to %s: set spec.distributionVersion to %s or a later release"
                            .formatted(running.version(), request.target(), running.version()));
        }
        return running.version().equals(request.consent().rollbackFrom())
                ? ask(previous.get())
                : blocked(
                        UPGRADE_PATH_UNSUPPORTED,
                        "the cluster runs %1$s, which is later than %2$s: set spec.distributionVersion to %1$s; if you want the cluster to go back to %2$s, set annotation %3$s=%1$s"
                                .formatted(running.version(), request.target(), Annotations.ROLLBACK_FROM));
    }

    private @Nullable UpgradeDecision notUpgradeable(DistributionVersion from) {
        Optional<ConditionView> upgradeable = version.condition("Upgradeable", Condition.FALSE);
        if (upgradeable.isEmpty()) {
            return null;
        }
        List<String> open = seen.gates().open(from.major() + "." + from.minor());
        List<String> missing = open.stream()
                .filter(gate -> !request.acknowledgements().contains(gate))
                .toList();
        if (!missing.isEmpty()) {
            return blocked(
                    UPGRADE_ACKNOWLEDGEMENT_REQUIRED,
                    "the next minor version asks for an acknowledgement: %s; if your cluster is prepared, add %s to spec.upgrade.acknowledgements"
                            .formatted(seen.gates().gates().get(missing.getFirst()), String.join(", ", missing)));
        }
        return open.isEmpty()
                ? blocked(
                        UPGRADE_NOT_UPGRADEABLE,
                        "the cluster is not ready for the next minor version: " + said(upgradeable.get()))
                : new UpgradeDecision.Acknowledge(open);
    }

    private UpgradeDecision offered() {
        Optional<OfferedUpdate> update = offeredTarget();
        if (update.isEmpty()) {
            return request.isExplicit()
                    ? explicit()
                    : blocked(UPGRADE_NOT_OFFERED, UpgradeOffers.missing(request, version));
        }
        List<String> risks = update.get().risks().stream()
                .filter(risk -> !request.acceptedRisks().contains(risk))
                .toList();
        return risks.isEmpty()
                ? ask(update.get().release())
                : blocked(
                        UPGRADE_NOT_RECOMMENDED,
                        "release %s is not recommended for this cluster because of known risks: %s; read about them, and add them to spec.upgrade.acceptedRisks to accept them"
                                .formatted(request.target(), String.join(", ", risks)));
    }

    private Optional<OfferedUpdate> offeredTarget() {
        return version.offered().stream()
                .filter(offered -> offered.release().version().equals(request.target()))
                .findFirst();
    }

    private UpgradeDecision explicit() {
        return switch (request.image()) {
            case TargetImage.Resolving ignored ->
                new Moving("asking the registry for the image of release " + request.target());
            case TargetImage.Unavailable unavailable ->
                blocked(UPGRADE_IMAGE_UNAVAILABLE, unavailable.blocker().message());
            case TargetImage.Resolved known -> ask(new ReleaseName(request.target(), known.image()));
        };
    }

    /** Nothing is requested twice. */
    private UpgradeDecision ask(ReleaseName release) {
        return release.equals(version.requested()) && version.forced() == request.isForced()
                ? new Moving("release %s is requested, and the cluster has not begun".formatted(release.version()))
                : new UpgradeDecision.Request(release, request.isForced());
    }

    private static boolean isSameMinor(DistributionVersion one, DistributionVersion other) {
        return one.major() == other.major() && one.minor() == other.minor();
    }

    private static UpgradeDecision blocked(String reason, String message) {
        return new Blocked(new Blocker(reason, message));
    }

    private static String said(ConditionView condition) {
        return condition.message().isEmpty() ? condition.reason() : condition.message();
    }
}
