package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes a Cluster in Cluster API's order: workers, control plane, infrastructure, Cluster. */
final class ClusterDeletion {

    private final Listings listings;
    private final Externals externals;
    private final Writes writes;

    ClusterDeletion(Listings listings, Externals externals, Writes writes) {
        this.listings = listings;
        this.externals = externals;
        this.writes = writes;
    }

    /** Stages of the deletion. */
    enum Stage {
        WORKERS("WaitingForWorkersDeletion"),
        CONTROL_PLANE("WaitingForControlPlaneDeletion"),
        INFRASTRUCTURE("WaitingForInfrastructureDeletion"),
        DONE("DeletionCompleted");

        private final String reason;

        Stage(String reason) {
            this.reason = reason;
        }
    }

    /** The first stage with remaining objects. */
    static Stage stage(boolean workersLeft, boolean controlPlaneLeft, boolean infrastructureLeft) {
        if (workersLeft) {
            return Stage.WORKERS;
        }
        if (controlPlaneLeft) {
            return Stage.CONTROL_PLANE;
        }
        return infrastructureLeft ? Stage.INFRASTRUCTURE : Stage.DONE;
    }

    /** Runs and reports the current stage; {@code true} when nothing is left. */
    boolean advance(WorkingCopy<Cluster> working) {
        Cluster cluster = working.read();
        Key key = Key.of(cluster);
        List<GenericKubernetesResource> workers = new ArrayList<>();
        workers.addAll(listings.machineDeploymentsOf(key));
        workers.addAll(listings.machineSetsOf(key));
        List<GenericKubernetesResource> controlPlaneMachines = new ArrayList<>();
        listings.machinesOf(key)
                .forEach(m -> (Contract.isControlPlaneMachine(m) ? controlPlaneMachines : workers).add(m));
        Reference controlPlaneRef = Reference.of(cluster, "spec", "controlPlaneRef");
        Reference infraRef = Reference.of(cluster, "spec", "infrastructureRef");
        GenericKubernetesResource controlPlane = found(controlPlaneRef);
        GenericKubernetesResource infra = found(infraRef);

        Stage stage = stage(!workers.isEmpty(), controlPlane != null || !controlPlaneMachines.isEmpty(), infra != null);
        switch (stage) {
            case WORKERS -> workers.forEach(this::deleteUnlessOwned);
            case CONTROL_PLANE -> {
                delete(controlPlaneRef, controlPlane);
                controlPlaneMachines.forEach(this::deleteUnlessOwned);
            }
            case INFRASTRUCTURE -> delete(infraRef, infra);
            case DONE -> {}
        }
        String message = switch (stage) {
            case WORKERS -> names(workers);
            case CONTROL_PLANE -> controlPlane != null ? names(List.of(controlPlane)) : names(controlPlaneMachines);
            case INFRASTRUCTURE -> infra == null ? "" : names(List.of(infra));
            case DONE -> "Deletion completed";
        };
        working.condition("Deleting", "True", stage.reason, message);
        return stage == Stage.DONE;
    }

    private @Nullable GenericKubernetesResource found(@Nullable Reference ref) {
        return ref == null ? null : externals.find(ref);
    }

    private void delete(@Nullable Reference ref, @Nullable GenericKubernetesResource external) {
        if (ref != null && external != null && !Contract.isDeleting(external)) {
            externals.delete(ref);
        }
    }

    /** Objects with a controller are deleted by that controller. */
    private void deleteUnlessOwned(GenericKubernetesResource resource) {
        var controller = Contract.controllerOf(resource);
        boolean ownedByCluster = controller != null && controller.getKind().equals("Cluster");
        if ((controller == null || ownedByCluster) && !Contract.isDeleting(resource)) {
            writes.delete(resource);
        }
    }

    private static String names(List<GenericKubernetesResource> resources) {
        List<String> lines = new ArrayList<>(resources.stream()
                .map(r -> "* " + r.getKind() + ": " + r.getMetadata().getName())
                .sorted()
                .toList());
        return String.join("\n", lines);
    }
}
