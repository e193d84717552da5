package io.capoa.lab.upgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks of a payload before it is applied.
 *
 * @param blocking failures that only force overrides
 * @param warnings failures that do not block
 */
record Preconditions(List<String> blocking, List<String> warnings) {

    private static final int FIRST_WITH_GIANT_HOP = 19;

    static Preconditions of(Payload target, UpdateState state, Observation seen) {
        List<String> blocking = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Payload current = HistoryEntry.current(state.history());
        Optional<Version> to = Version.of(target.version());
        Optional<Version> from = Version.of(current.version());
        Optional<Version> running = Version.of(state.desired().version());
        if (to.isPresent() && from.isPresent() && running.isPresent()) {
            rollback(to.get(), running.get(), target, state).ifPresent(blocking::add);
            giantHop(to.get(), running.get()).ifPresent(blocking::add);
            upgradeable(to.get(), from.get(), running.get(), state, seen, blocking, warnings);
        }
        recommended(target, state, seen.updates()).ifPresent(warnings::add);
        return new Preconditions(List.copyOf(blocking), List.copyOf(warnings));
    }

    private static Optional<String> rollback(Version to, Version running, Payload target, UpdateState state) {
        if (to.compareTo(running) >= 0) {
            return Optional.empty();
        }
        boolean previous = state.history().stream()
                .map(HistoryEntry::payload)
                .filter(payload -> !payload.version().equals(state.desired().version()))
                .findFirst()
                .filter(payload -> payload.version().equals(target.version()))
                .isPresent();
        return previous && to.sameMinor(running)
                ? Optional.empty()
                : failed(
                        "ClusterVersionRollback",
                        "LowDesiredVersion",
                        "%s is less than the current target %s, and the only supported rollback is to the cluster's previous version within the same minor release"
                                .formatted(target.version(), state.desired().version()));
    }

    /** As {@code gianthop.go}: from any 4.x to 5.0, otherwise within the major version, one minor version at a time. */
    private static Optional<String> giantHop(Version to, Version running) {
        if (running.major() == 4 && running.minor() < FIRST_WITH_GIANT_HOP) {
            return Optional.empty();
        }
        if (to.major() > running.major()) {
            return running.major() == 4 && to.major() == 5 && to.minor() == 0
                    ? Optional.empty()
                    : failed(
                            "ClusterVersionGiantHop",
                            "MajorVersionUpdate",
                            "%s has a larger major version than the current target %s, and only updates within the current major version or to 5.0 are supported"
                                    .formatted(to.stream(), running.stream()));
        }
        return to.major() < running.major() || to.minor() <= running.minor() + 1
                ? Optional.empty()
                : failed(
                        "ClusterVersionGiantHop",
                        "MultipleMinorVersionsUpdate",
                        "%s is more than one minor version beyond the current target %s"
                                .formatted(to.stream(), running.stream()));
    }

    private static void upgradeable(
            Version to,
            Version from,
            Version running,
            UpdateState state,
            Observation seen,
            List<String> blocking,
            List<String> warnings) {
        Optional<Condition> blocked = ClusterVersionConditions.upgradeable(state, seen);
        if (blocked.isEmpty() || to.sameMinor(from) || to.compareTo(from) < 0) {
            return;
        }
        if (to.sameMinor(running)) {
            warnings.add(text(
                    "ClusterVersionUpgradeable",
                    "MinorVersionClusterUpdateInProgress",
                    "Retarget to %s while a minor version update from %s is in progress"
                            .formatted(to.stream() + "." + to.patch(), from.stream())));
            return;
        }
        blocking.add(text(
                "ClusterVersionUpgradeable",
                blocked.get().reason(),
                blocked.get().message()));
    }

    private static Optional<String> recommended(Payload target, UpdateState state, AvailableUpdates updates) {
        if (updates.isAvailable(target)) {
            return Optional.empty();
        }
        String from = state.desired().version();
        Optional<String> risk = updates.riskOf(target);
        if (risk.isPresent()) {
            return failed(
                    "ClusterVersionRecommendedUpdate",
                    risk.get(),
                    "Update from %s to %s is not recommended".formatted(from, target.version()));
        }
        if (updates.retrieved().reason().equals("NoChannel")) {
            return failed(
                    "ClusterVersionRecommendedUpdate",
                    "NoChannel",
                    "Configured channel is unset, so the recommended status of updating from %s to %s is unknown"
                            .formatted(from, target.version()));
        }
        return failed(
                "ClusterVersionRecommendedUpdate",
                "UnknownUpdate",
                "Update from %s to %s is unknown to the update service".formatted(from, target.version()));
    }

    private static Optional<String> failed(String name, String reason, String message) {
        return Optional.of(text(name, reason, message));
    }

    private static String text(String name, String reason, String message) {
        return "Precondition \"%s\" failed because of \"%s\": %s".formatted(name, reason, message);
    }
}
