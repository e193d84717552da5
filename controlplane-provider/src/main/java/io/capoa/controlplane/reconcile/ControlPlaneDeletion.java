package io.capoa.controlplane.reconcile;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.DeletionHooks;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.steps.install.ImageSetStep;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Deletes a control plane's objects in order: after the workers its Machines, install objects and ClusterImageSet. */
final class ControlPlaneDeletion {

    private final ControlPlaneSources sources;
    private final Applier applier;
    private final ImageSetStep imageSets;

    ControlPlaneDeletion(ControlPlaneSources sources, Applier applier, ImageSetStep imageSets) {
        this.sources = sources;
        this.applier = applier;
        this.imageSets = imageSets;
    }

    /** Deletes what can be deleted now. Returns what still exists, which is watched; empty when nothing is left. */
    Optional<Blocker> proceed(ControlPlaneObservation observation) {
        List<HasMetadata> workers = workers(observation);
        if (!workers.isEmpty()) {
            return Optional.of(new Blocker(
                    ControlPlaneConditions.WAITING_FOR_WORKERS_DELETION, workersMessage(observation, workers)));
        }
        ControlPlaneIdentity identity = observation.identity();
        List<HasMetadata> install = Stream.<HasMetadata>of(observation.deployment(), observation.install())
                .filter(Objects::nonNull)
                .filter(identity::isOurs)
                .toList();
        List<Machine> machines = observation.machines();
        if (!machines.isEmpty()) {
            machines.forEach(this::delete);
            if (hostsAreReleased(observation)) {
                // Otherwise assisted-service tries to remove each host's node from a cluster that no longer runs.
                install.forEach(applier::delete);
            }
            return Optional.of(new Blocker(
                    ControlPlaneConditions.WAITING_FOR_MACHINE_DELETION,
                    "waiting for the deletion of " + names(machines)));
        }
        if (!install.isEmpty()) {
            install.forEach(applier::delete);
            return Optional.of(new Blocker(
                    ControlPlaneConditions.WAITING_FOR_INSTALL_OBJECTS_DELETION,
                    "waiting for assisted-service to release " + names(install)));
        }
        imageSets.release(identity);
        return Optional.empty();
    }

    private static boolean hostsAreReleased(ControlPlaneObservation observation) {
        Map<String, GenericKubernetesResource> infrastructure = observation.infrastructure();
        return infrastructure != null
                && infrastructure.isEmpty()
                && observation.machines().staying().isEmpty();
    }

    /** Without the hooks: the whole cluster is deleted, so etcd members need not be removed first. */
    private void delete(Machine machine) {
        applier.patch(sources.machines(), machine, DeletionHooks.removal(DeletionHooks.on(machine)));
        applier.delete(machine);
    }

    /** What Cluster API deletes before the control plane; without a Cluster nothing deletes it, so it does not count. */
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
        boolean ofMachine = config.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getKind().equals(HasMetadata.getKind(Machine.class)));
        return ofMachine && !Labels.has(config, Labels.CONTROL_PLANE);
    }

    private static String workersMessage(ControlPlaneObservation observation, List<HasMetadata> workers) {
        Cluster cluster = Objects.requireNonNull(observation.cluster());
        return !cluster.isMarkedForDeletion()
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
