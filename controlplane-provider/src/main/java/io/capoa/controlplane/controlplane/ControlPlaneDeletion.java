package io.capoa.controlplane.controlplane;

import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Takes a control plane apart: Machines, then what installed them, then what is left at cluster scope. */
final class ControlPlaneDeletion {

    /** How far it is. */
    sealed interface Outcome {

        /** Nothing is left. */
        record Done() implements Outcome {}

        /** Objects are still there; their disappearance is watched. */
        record Wait(String reason, String message) implements Outcome {}
    }

    private final Applier applier;
    private final ImageSetStep imageSets;

    ControlPlaneDeletion(Applier applier, ImageSetStep imageSets) {
        this.applier = applier;
        this.imageSets = imageSets;
    }

    Outcome proceed(ControlPlaneObservation observation) {
        List<Machine> machines = observation.machines();
        if (!machines.isEmpty()) {
            machines.forEach(applier::delete);
            return new Outcome.Wait(
                    ControlPlaneConditions.WAITING_FOR_MACHINE_DELETION,
                    "waiting for the deletion of " + names(machines));
        }
        ControlPlaneIdentity identity = observation.identity();
        List<HasMetadata> install = Stream.<HasMetadata>of(observation.deployment(), observation.install())
                .filter(Objects::nonNull)
                .filter(object -> identity.owns(object) || identity.labelled(object))
                .toList();
        if (!install.isEmpty()) {
            install.forEach(applier::delete);
            return new Outcome.Wait(
                    ControlPlaneConditions.WAITING_FOR_INSTALL_OBJECTS_DELETION,
                    "waiting for assisted-service to release " + names(install));
        }
        imageSets.release(identity);
        return new Outcome.Done();
    }

    private static String names(List<? extends HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .collect(Collectors.joining(", "));
    }
}
