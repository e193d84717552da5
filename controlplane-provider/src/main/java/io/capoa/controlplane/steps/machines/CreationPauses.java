package io.capoa.controlplane.steps.machines;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.release.RegistryBackoff;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Back-off for the creation of Machines that the API server refuses, for example while a webhook is down. A reconcile
 * for another reason does not retry early; an edit of the control plane does.
 */
public final class CreationPauses {

    private record Pause(long generation, int failures, Instant until, MachineStep.Creation.Failed outcome) {}

    private final Clock clock;
    private final RegistryBackoff backoff;
    private final Map<ResourceID, Pause> pauses = new ConcurrentHashMap<>();

    CreationPauses(Clock clock, RegistryBackoff backoff) {
        this.clock = clock;
        this.backoff = backoff;
    }

    /** The last failure with the time until the next attempt; empty if an attempt is allowed. */
    Optional<MachineStep.Creation.Failed> current(OpenshiftAssistedControlPlane controlPlane) {
        Pause pause = known(controlPlane);
        if (pause == null) {
            return Optional.empty();
        }
        Duration left = Duration.between(clock.instant(), pause.until());
        return left.isPositive() ? Optional.of(pause.outcome().after(left)) : Optional.empty();
    }

    /** Whether the last attempt was refused. */
    boolean hasRefused(OpenshiftAssistedControlPlane controlPlane) {
        return known(controlPlane) != null;
    }

    /** Records a refusal; any other outcome clears the back-off. */
    MachineStep.Creation recorded(OpenshiftAssistedControlPlane controlPlane, MachineStep.Creation outcome) {
        ResourceID id = ResourceID.fromResource(controlPlane);
        if (!(outcome instanceof MachineStep.Creation.Failed failed) || failed.again() == null) {
            pauses.remove(id);
            return outcome;
        }
        Pause before = known(controlPlane);
        int failures = before == null ? 1 : before.failures() + 1;
        Duration pause = backoff.after(failures);
        pauses.put(
                id,
                new Pause(generation(controlPlane), failures, clock.instant().plus(pause), failed));
        return failed.after(pause);
    }

    /** Drops the state of a deleted control plane. */
    void forget(ResourceID controlPlane) {
        pauses.remove(controlPlane);
    }

    private @Nullable Pause known(OpenshiftAssistedControlPlane controlPlane) {
        Pause pause = pauses.get(ResourceID.fromResource(controlPlane));
        return pause == null || pause.generation() != generation(controlPlane) ? null : pause;
    }

    private static long generation(OpenshiftAssistedControlPlane controlPlane) {
        return Objects.requireNonNullElse(controlPlane.getMetadata().getGeneration(), 0L);
    }
}
