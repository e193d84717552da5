package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reconciles a MachineDeployment: a MachineSet for its template, and the rollout from older ones, in place or by replacement. */
final class MachineDeploymentController {

    private final Listings listings;
    private final MachineSetTemplate template;
    private final InPlaceDecisions inPlace;
    private final Writes writes;

    MachineDeploymentController(
            Listings listings, MachineSetTemplate template, InPlaceDecisions inPlace, Writes writes) {
        this.inPlace = inPlace;
        this.listings = listings;
        this.template = template;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        MachineDeployment deployment = listings.machineDeployments().get(key);
        Cluster cluster = deployment == null ? null : listings.clusterOf(deployment);
        if (deployment == null || cluster == null) {
            return null;
        }
        WorkingCopy<MachineDeployment> working = new WorkingCopy<>(deployment);
        if (Paused.show(working, cluster) || Fields.isTrue(deployment, "spec", "paused")) {
            working.write(writes);
            return null;
        }
        List<MachineSet> sets = listings.machineSetsOf(deployment);
        if (Contract.isDeleting(deployment)) {
            if (sets.isEmpty()) {
                working.withoutFinalizer(Contract.MACHINE_DEPLOYMENT_FINALIZER);
                writes.patch(deployment, working.change());
                return null;
            }
            sets.stream().filter(s -> !Contract.isDeleting(s)).forEach(writes::delete);
            working.condition("Deleting", "True", "Deleting", "MachineSets left: " + sets.size());
            status(working, sets, null, 0);
            working.write(writes);
            return null;
        }
        working.finalizer(Contract.MACHINE_DEPLOYMENT_FINALIZER);
        working.owner(Contract.owner(cluster));
        defaults(working, cluster);
        working.condition("Deleting", "False", "NotDeleting", "");
        String current = template.name(deployment);
        int wanted = wanted(deployment);
        status(working, sets, current, wanted);
        boolean defaulted = !working.change().isEmpty();
        working.write(writes);
        if (!defaulted) {
            roll(deployment, sets, current, wanted);
        }
        return null;
    }

    /** Defaults of Cluster API's webhook. */
    private static void defaults(WorkingCopy<MachineDeployment> working, Cluster cluster) {
        MachineDeployment deployment = working.read();
        String clusterName = cluster.getMetadata().getName();
        String name = deployment.getMetadata().getName();
        working.label(Contract.CLUSTER_NAME, clusterName);
        if (Fields.integer(deployment, "spec", "replicas") == null) {
            working.set(1, "spec", "replicas");
        }
        if (Fields.map(deployment, "spec", "selector", "matchLabels").isEmpty()
                && Fields.list(deployment, "spec", "selector", "matchExpressions")
                        .isEmpty()) {
            working.set(clusterName, "spec", "selector", "matchLabels", Contract.CLUSTER_NAME);
            working.set(name, "spec", "selector", "matchLabels", Contract.DEPLOYMENT_NAME);
        }
        working.set(clusterName, "spec", "template", "metadata", "labels", Contract.CLUSTER_NAME);
        working.set(name, "spec", "template", "metadata", "labels", Contract.DEPLOYMENT_NAME);
    }

    private void roll(MachineDeployment deployment, List<MachineSet> sets, String current, int wanted) {
        List<MachineSet> old = new ArrayList<>();
        MachineSet present = null;
        for (MachineSet set : sets) {
            if (set.getMetadata().getName().equals(current)) {
                present = set;
            } else {
                old.add(set);
            }
        }
        if (isInPlace(deployment, old)) {
            if (present == null) {
                writes.create(template.of(deployment, 0));
                return;
            }
            MachineSet latest = present;
            if (occupied(old).stream().allMatch(set -> inPlace.canUpdate(set, latest))) {
                moveMachines(deployment, old, present, wanted);
                return;
            }
        }
        replaceMachines(deployment, old, present, wanted);
    }

    private boolean isInPlace(MachineDeployment deployment, List<MachineSet> old) {
        return !"OnDelete".equals(Fields.string(deployment, "spec", "rollout", "strategy", "type"))
                && !occupied(old).isEmpty()
                && inPlace.isPossible(deployment.getMetadata().getNamespace());
    }

    /** MachineSets that have Machines, or are to have some. */
    private List<MachineSet> occupied(List<MachineSet> sets) {
        return sets.stream()
                .filter(set -> wanted(set) > 0 || !listings.machinesOf(set).isEmpty())
                .toList();
    }

    private void moveMachines(MachineDeployment deployment, List<MachineSet> old, MachineSet present, int wanted) {
        List<Machine> from = staying(old);
        List<Machine> received = staying(List.of(present));
        long available = Stream.concat(from.stream(), received.stream())
                .filter(m -> ConditionView.isTrue(m, "Available") && !InPlace.isUpdating(m))
                .count();
        int oldReplicas =
                old.stream().mapToInt(MachineDeploymentController::wanted).sum();
        InPlaceRollout next = InPlaceRollout.next(
                wanted,
                Surge.of(deployment, "maxSurge", 1, wanted),
                Surge.of(deployment, "maxUnavailable", 0, wanted),
                Math.max(wanted(present), received.size()),
                oldReplicas,
                from.size(),
                (int) available);
        align(deployment, present, next.newReplicas(), occupied(old));
        shrink(old, oldReplicas - next.oldReplicas(), present.getMetadata().getName());
    }

    private List<Machine> staying(List<MachineSet> sets) {
        return sets.stream()
                .flatMap(set -> listings.machinesOf(set).stream())
                .filter(m -> !Contract.isDeleting(m))
                .toList();
    }

    /** Acknowledges the Machines that the MachineSet has received, together with the replicas that count them. */
    private void align(MachineDeployment deployment, MachineSet present, int replicas, List<MachineSet> from) {
        template.align(new WorkingCopy<>(present), deployment, replicas)
                .set(names(from), "metadata", "annotations", InPlace.RECEIVE_FROM)
                .set(null, "metadata", "annotations", InPlace.MOVE_TO)
                .set(
                        names(listings.machinesOf(present).stream()
                                .filter(InPlace::isMoving)
                                .toList()),
                        "metadata",
                        "annotations",
                        InPlace.ACKNOWLEDGED)
                .write(writes);
    }

    private static @Nullable String names(List<? extends HasMetadata> objects) {
        return objects.isEmpty()
                ? null
                : objects.stream().map(o -> o.getMetadata().getName()).collect(Collectors.joining(","));
    }

    private void replaceMachines(
            MachineDeployment deployment, List<MachineSet> old, @Nullable MachineSet present, int wanted) {
        List<MachineSet> sets =
                Stream.concat(old.stream(), Stream.ofNullable(present)).toList();
        int oldReplicas =
                old.stream().mapToInt(MachineDeploymentController::wanted).sum();
        int available =
                sets.stream().mapToInt(s -> count(s, "availableReplicas")).sum();
        Rollout next = Rollout.next(
                wanted,
                Surge.of(deployment, "maxSurge", 1, wanted),
                Surge.of(deployment, "maxUnavailable", 0, wanted),
                present == null ? 0 : wanted(present),
                oldReplicas,
                available);
        if (present == null) {
            writes.create(template.of(deployment, next.newReplicas()));
        } else {
            align(deployment, present, next.newReplicas(), List.of());
        }
        shrink(old, oldReplicas - next.oldReplicas(), null);
    }

    /** Takes replicas from old MachineSets, and deletes those without Machines. */
    private void shrink(List<MachineSet> old, int replicas, @Nullable String moveTo) {
        int surplus = replicas;
        for (MachineSet set : old) {
            int has = wanted(set);
            int less = Math.min(has, surplus);
            surplus -= less;
            new WorkingCopy<>(set)
                    .set(has - less, "spec", "replicas")
                    .set(moveTo, "metadata", "annotations", InPlace.MOVE_TO)
                    .set(null, "metadata", "annotations", InPlace.RECEIVE_FROM)
                    .write(writes);
            if (has == 0
                    && count(set, "replicas") == 0
                    && listings.machinesOf(set).isEmpty()
                    && !Contract.isDeleting(set)) {
                writes.delete(set);
            }
        }
    }

    private void status(
            WorkingCopy<MachineDeployment> working, List<MachineSet> sets, @Nullable String current, int wanted) {
        MachineDeployment deployment = working.read();
        List<Machine> machines = new ArrayList<>();
        sets.forEach(s -> machines.addAll(listings.machinesOf(s)));
        Counters counters = Counters.of(
                machines,
                m -> current != null && current.equals(Contract.label(m, Contract.SET_NAME)) && !InPlace.isUpdating(m));
        working.set(deployment.getMetadata().getGeneration().intValue(), "status", "observedGeneration");
        working.set(Selectors.text(deployment), "status", "selector");
        counters.into(working, "status");
        String refusal = sets.stream()
                .flatMap(s -> ConditionView.of(s, "ScalingUp").stream())
                .filter(c -> c.message().contains("blocked because:\n* "))
                .map(c -> c.message().substring(c.message().indexOf("\n* ") + 3))
                .findFirst()
                .orElse(null);
        ScalingConditions.write(working, counters, wanted, refusal);
        boolean enough = counters.available() >= wanted - Surge.of(deployment, "maxUnavailable", 0, wanted);
        working.condition(
                "Available",
                enough ? "True" : "False",
                enough ? "Available" : "NotAvailable",
                enough ? "" : counters.available() + " available replicas, at least " + wanted + " required");
        boolean rolling = counters.upToDate() < counters.replicas();
        working.condition(
                "RollingOut",
                rolling ? "True" : "False",
                rolling ? "RollingOut" : "NotRollingOut",
                rolling ? counters.replicas() - counters.upToDate() + " Machines are not up to date" : "");
        String phase =
                counters.replicas() < wanted ? "ScalingUp" : counters.replicas() > wanted ? "ScalingDown" : "Running";
        working.set(phase, "status", "phase");
    }

    private static int wanted(io.fabric8.kubernetes.api.model.GenericKubernetesResource resource) {
        return Objects.requireNonNullElse(Fields.integer(resource, "spec", "replicas"), 1);
    }

    private static int count(MachineSet set, String field) {
        return Objects.requireNonNullElse(Fields.integer(set, "status", field), 0);
    }
}
