package io.capoa.controlplane.reconcile;

import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.machines.RolloutTime;
import io.capoa.controlplane.status.StepResults;
import io.capoa.controlplane.steps.install.InputsStep;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Requeue reasons that no informer covers: all requeue intervals, and the unlabelled objects to watch by name. */
final class Requeue {

    /** While a CRD is absent there is nothing to watch. */
    static final Duration UNTIL_KINDS_ARE_KNOWN = Duration.ofSeconds(2);

    /** No watch reports that a right was granted. */
    static final Duration UNTIL_RIGHTS_ARE_GRANTED = Duration.ofSeconds(10);

    /** Objects applied together arrive and get their owner within this time; creation times have whole seconds. */
    static final Duration APPLIED_WITHIN = Duration.ofSeconds(2);

    /** A registry usually answers within this time. */
    static final Duration REGISTRY_ANSWERS_WITHIN = Duration.ofMillis(500);

    /** A cluster that has just been installed usually answers within this time. */
    static final Duration CLUSTER_ANSWERS_WITHIN = Duration.ofMillis(500);

    /** A write of its own triggers no reconcile; what it makes possible is looked at soon. */
    static final Duration AFTER_WRITES = Duration.ofMillis(200);

    /** The API server refused a write; only another attempt shows whether it still does. */
    private static final Duration UNTIL_NEXT_ATTEMPT = Duration.ofSeconds(10);

    /** MachineHealthChecks that are created during an upgrade are not watched. */
    private static final Duration FOR_NEW_HEALTH_CHECKS = Duration.ofSeconds(10);

    /** ExtensionConfigs are not watched. */
    private static final Duration FOR_RUNTIME_EXTENSION = Duration.ofSeconds(30);

    /** The times of rollouts have whole seconds. */
    private static final Duration PAST_THE_TIME = Duration.ofSeconds(1);

    private Requeue() {}

    /** When to reconcile again without an event; {@code null} if all that is waited for is watched. */
    static @Nullable Duration after(StepResults results, Instant now) {
        return Stream.of(
                        afterSteps(results),
                        results.plan().again(),
                        results.answers().health().again(),
                        forHealthChecks(results),
                        results.answers().workers().isPresent() ? FOR_RUNTIME_EXTENSION : null,
                        untilRollout(results, now))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private static @Nullable Duration forHealthChecks(StepResults results) {
        UpgradeOutcome upgrade = results.answers().upgrade();
        return upgrade != null && (upgrade.isMoving() || upgrade.updatesNodes()) ? FOR_NEW_HEALTH_CHECKS : null;
    }

    /** Until {@code spec.rollout.after}, if that is still to come. */
    private static @Nullable Duration untilRollout(StepResults results, Instant now) {
        return RolloutTime.of(results.observation().controlPlane())
                .map(after -> Duration.between(now, after))
                .filter(left -> !left.isNegative())
                .map(left -> left.plus(PAST_THE_TIME))
                .orElse(null);
    }

    private static @Nullable Duration afterSteps(StepResults results) {
        StepResults.Machines machines = results.machines();
        if (machines.conditionsWritten() || machines.outcome().again() || hasNewKubeconfig(results)) {
            return AFTER_WRITES;
        }
        if (machines.creation() instanceof MachineStep.Creation.Failed failed && failed.again() != null) {
            return failed.again();
        }
        boolean refused = results.install() instanceof InstallStep.Progress.Refused
                || (machines.creation() instanceof MachineStep.Creation.Failed failed && failed.namedObjects() == null);
        return refused ? UNTIL_NEXT_ATTEMPT : results.checks().left();
    }

    /** The queries of this reconcile had another one, or none; and a write of our own is no event. */
    private static boolean hasNewKubeconfig(StepResults results) {
        return results.kubeconfig() instanceof KubeconfigStep.Access.Available available && available.changed();
    }

    /** Objects that carry no label by which an informer could select them. */
    static Set<Target> targets(StepResults results, InputsStep.Inputs inputs) {
        Set<Target> targets = new HashSet<>(inputs.watched());
        if (results.machines().creation() instanceof MachineStep.Creation.Failed failed
                && failed.namedObjects() != null) {
            targets.add(failed.namedObjects());
        }
        String pullSecret = InstallPullSecret.chosen(results.observation().identity());
        if (results.release() instanceof ReleaseState.Unavailable
                && pullSecret != null
                && ObjectName.isValid(pullSecret)) {
            targets.add(Target.secret(results.observation().identity().namespace(), pullSecret));
        }
        switch (results.kubeconfig()) {
            case KubeconfigStep.Access.SourceMissing source -> targets.add(source.source());
            case KubeconfigStep.Access.Available available ->
                Optional.ofNullable(available.unwatched()).ifPresent(targets::add);
            case KubeconfigStep.Access.UserProvided user ->
                Optional.ofNullable(user.unwatched()).ifPresent(targets::add);
            case KubeconfigStep.Access.NotYet ignored -> {}
            case KubeconfigStep.Access.SourceUnusable ignored -> {}
        }
        return targets;
    }
}
