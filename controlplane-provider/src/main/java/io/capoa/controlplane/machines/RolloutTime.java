package io.capoa.controlplane.machines;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.RolloutSettings;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** The time before which Machines are outdated. */
public final class RolloutTime {

    private RolloutTime() {}

    /** {@code spec.rollout.after}; empty without one, or if it was stored before the API refused what is no time. */
    public static Optional<Instant> of(OpenshiftAssistedControlPlane controlPlane) {
        RolloutSettings rollout = controlPlane.getSpec().rollout();
        String after = rollout == null ? null : rollout.after();
        try {
            return after == null ? Optional.empty() : Optional.of(Instant.parse(after));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
