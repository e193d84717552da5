package io.capoa.controlplane.controlplane;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.PreTerminateHook;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Takes a control plane apart: after the workers its Machines, what installed them, what is left at cluster scope. */
final class ControlPlaneDeletion {

    /** How far it is. */
    sealed interface Outcome {

        /** Nothing is left. */
        record Done() implements Outcome {}

        /** Objects are still there; their disappearance is watched. */
        record Wait(String reason, String message) implements Outcome {}
    }

    private final ControlPlaneSources sources;
    private final Applier applier;
    private final ImageSetStep imageSets;

    ControlPlaneDeletion(ControlPlaneSources sources, Applier applier, ImageSetStep imageSets) {
        this.sources = sources;
        this.applier = applier;
        this.imageSets = imageSets;
    }

    Outcome proceed(ControlPlaneObservation observation) {
        List<HasMetadata> workers = workers(observation);
        if (!workers.isEmpty()) {
            return new Outcome.Wait(ControlPlaneConditions.WAITING_FOR_WORKERS_DELETION, message(observation, workers));
        }
        ControlPlaneIdentity identity = observation.identity();
        List<HasMetadata> install = Stream.<HasMetadata>of(observation.deployment(), observation.install())
                .filter(Objects::nonNull)
                .filter(object -> identity.owns(object) || identity.labelled(object))
                .toList();
        List<Machine> machines = observation.machines();
        if (!machines.isEmpty()) {
            machines.forEach(this::delete);
            if (hostsAreReleased(observation)) {
                // assisted-service would otherwise try to take each host's node out of a cluster that no longer runs.
                install.forEach(applier::delete);
            }
            return new Outcome.Wait(
                    ControlPlaneConditions.WAITING_FOR_MACHINE_DELETION,
                    "waiting for the deletion of " + names(machines));
        }
        if (!install.isEmpty()) {
            install.forEach(applier::delete);
            return new Outcome.Wait(
                    ControlPlaneConditions.WAITING_FOR_INSTALL_OBJECTS_DELETION,
                    "waiting for assisted-service to release " + names(install));
        }
        imageSets.release(identity);
        return new Outcome.Done();
    }

    private static boolean hostsAreReleased(ControlPlaneObservation observation) {
        Map<String, GenericKubernetesResource> infrastructure = observation.infrastructure();
        return infrastructure != null
                && infrastructure.isEmpty()
                && observation.machines().stream()
                        .allMatch(machine -> machine.getMetadata().getDeletionTimestamp() != null);
    }

    /** The cluster goes as a whole: nobody has to leave etcd in good order. */
    private void delete(Machine machine) {
        if (PreTerminateHook.isOn(machine)) {
            applier.patch(sources.machines, machine, PreTerminateHook.removal());
        }
        applier.delete(machine);
    }

    /**
     * What core deletes before the control plane, as long as there is a Cluster: with that gone nobody would, and waiting
     * would be for ever.
     */
    private static List<HasMetadata> workers(ControlPlaneObservation observation) {
        if (observation.cluster() == null) {
            return List.of();
        }
        Stream<HasMetadata> configs = observation.configs().stream()
                .filter(ControlPlaneDeletion::isOfWorker)
                .map(HasMetadata.class::cast);
        return Stream.concat(observation.workers().deployments().stream(), configs)
                .toList();
    }

    private static boolean isOfWorker(OpenshiftAssistedConfig config) {
        Map<String, String> labels = config.getMetadata().getLabels();
        boolean ofMachine = config.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getKind().equals(HasMetadata.getKind(Machine.class)));
        return ofMachine && (labels == null || !labels.containsKey(Labels.CONTROL_PLANE));
    }

    private static String message(ControlPlaneObservation observation, List<HasMetadata> workers) {
        Cluster cluster = Objects.requireNonNull(observation.cluster());
        return cluster.getMetadata().getDeletionTimestamp() == null
                ? "workers are deleted before the control plane: delete %s, or Cluster %s as a whole"
                        .formatted(names(workers), cluster.getMetadata().getName())
                : "waiting for the deletion of " + names(workers);
    }

    private static String names(List<? extends HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .collect(Collectors.joining(", "));
    }
}
