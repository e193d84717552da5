package io.capoa.lab.upgrade;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Conditions of a ClusterVersion. */
public final class ClusterVersionConditions {

    private static final String FAILING = "Failing";
    private static final String PROGRESSING = "Progressing";
    private static final String UPGRADEABLE = "Upgradeable";
    private static final String INVALID = "InvalidClusterVersion";
    private static final int FIRST_BLOCKED_IN_PROGRESS = 19;

    private ClusterVersionConditions() {}

    /** All conditions; Invalid and Upgradeable only if they say something. */
    public static List<Condition> of(UpdateState state, Observation seen, Pace pace, Instant now) {
        List<Condition> conditions = new ArrayList<>();
        Condition failing = failing(state, seen, pace, now);
        conditions.add(seen.updates().retrieved());
        upgradeable(state, seen).ifPresent(conditions::add);
        conditions.add(
                Condition.no("ImplicitlyEnabledCapabilities", "AsExpected", "Capabilities match configured spec"));
        conditions.add(accepted(state));
        if (!state.invalid().isEmpty()) {
            conditions.add(Condition.yes("Invalid", INVALID, "The cluster version is invalid: " + state.invalid()));
        }
        conditions.add(available(state));
        conditions.add(failing);
        conditions.add(progressing(state, failing));
        return List.copyOf(conditions);
    }

    /** Condition Upgradeable=False; empty if the next minor release may be installed. */
    static Optional<Condition> upgradeable(UpdateState state, Observation seen) {
        List<Condition> all = new ArrayList<>(seen.notUpgradeable());
        if (seen.spec().overridden()) {
            all.add(Condition.no(
                    UPGRADEABLE,
                    "ClusterVersionOverridesSet",
                    "Disabling ownership via cluster version overrides prevents upgrades. Please remove overrides before"
                            + " continuing."));
        }
        boolean blocks = Version.of(state.desired().version())
                .filter(v -> v.major() > 4 || v.minor() >= FIRST_BLOCKED_IN_PROGRESS)
                .isPresent();
        if (state.rollout().isPresent() && blocks && !state.isInstalling()) {
            all.add(Condition.no(
                    UPGRADEABLE,
                    "UpdateInProgress",
                    "An update is already in progress and the details are in the Progressing condition"));
        }
        if (all.size() <= 1) {
            return all.stream().findFirst();
        }
        return Optional.of(Condition.no(
                UPGRADEABLE,
                "MultipleReasons",
                "Cluster should not be upgraded between minor versions for multiple reasons: "
                        + all.stream().map(Condition::reason).collect(Collectors.joining(","))
                        + all.stream().map(c -> "\n* " + c.message()).collect(Collectors.joining())));
    }

    private static Condition accepted(UpdateState state) {
        String type = "ReleaseAccepted";
        return state.retrieval()
                .map(retrieval -> retrieval
                        .refusal()
                        .orElseGet(() -> Condition.unknown(
                                type, "RetrievePayload", "Retrieving and verifying payload " + retrieval.payload())))
                .orElseGet(() -> Condition.yes(
                        type, "PayloadLoaded", "Payload loaded %s architecture=\"amd64\"".formatted(state.desired())));
    }

    private static Condition available(UpdateState state) {
        return state.history().stream()
                .filter(HistoryEntry::applied)
                .findFirst()
                .map(entry -> Condition.yes(
                        "Available", "", "Done applying " + entry.payload().version()))
                .orElseGet(() -> Condition.no("Available", "", ""));
    }

    private static Condition failing(UpdateState state, Observation seen, Pace pace, Instant now) {
        for (String operator : Operators.IN_ORDER) {
            OperatorFault fault = seen.faultOf(operator);
            if (fault == OperatorFault.UNAVAILABLE && isWatched(operator, state)) {
                return Condition.yes(
                        FAILING,
                        "ClusterOperatorNotAvailable",
                        "Cluster operator %s is not available".formatted(operator));
            }
            if (fault == OperatorFault.DEGRADED && isWatched(operator, state) && isSuspected(state, pace, now)) {
                return Condition.yes(
                        FAILING, "ClusterOperatorDegraded", "Cluster operator %s is degraded".formatted(operator));
            }
        }
        return slow(state, seen, pace, now).orElseGet(() -> Condition.no(FAILING, "", ""));
    }

    private static Optional<Condition> slow(UpdateState state, Observation seen, Pace pace, Instant now) {
        if (state.rollout().isEmpty() || state.isInstalling()) {
            return Optional.empty();
        }
        String operator = state.rollout().get().operator();
        boolean stuck = seen.faultOf(operator) == OperatorFault.STUCK;
        return (stuck || !pace.patience().isZero()) && isSuspected(state, pace, now)
                ? Optional.of(Condition.unknown(
                        FAILING, "SlowClusterOperator", "waiting on %s longer than expected".formatted(operator)))
                : Optional.empty();
    }

    /** During an update the operators after the present one are not looked at. */
    private static boolean isWatched(String operator, UpdateState state) {
        return state.rollout().isEmpty()
                || Operators.IN_ORDER.indexOf(operator) <= state.rollout().get().done();
    }

    /** At rest no update hides what an operator reports. */
    private static boolean isSuspected(UpdateState state, Pace pace, Instant now) {
        return state.rollout()
                .map(rollout ->
                        !now.isBefore(rollout.since().plus(ClusterVersionMachine.patience(rollout.operator(), pace))))
                .orElse(true);
    }

    private static Condition progressing(UpdateState state, Condition failing) {
        String version = state.desired().version();
        if (state.rollout().isPresent()) {
            boolean fails = failing.isTrue();
            String progress = state.rollout().get().progress();
            return fails
                    ? Condition.yes(
                            PROGRESSING,
                            failing.reason(),
                            "Unable to apply %s: %s".formatted(version, failing.message()))
                    : Condition.yes(
                            PROGRESSING,
                            failing.reason(),
                            "Working towards %s: %s%s"
                                    .formatted(version, progress, failing.isFalse() ? "" : "; " + failing.message()));
        }
        if (!state.invalid().isEmpty()) {
            return Condition.no(
                    PROGRESSING, INVALID, "Stopped at %s: the cluster version is invalid".formatted(version));
        }
        return failing.isTrue()
                ? Condition.no(
                        PROGRESSING,
                        failing.reason(),
                        "Error while reconciling %s: %s".formatted(version, failing.message()))
                : Condition.no(PROGRESSING, "", "Cluster version is " + version);
    }
}
