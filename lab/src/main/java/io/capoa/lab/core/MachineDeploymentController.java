package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.actors.Draft;
import io.capoa.lab.actors.Key;
import io.capoa.lab.actors.Writes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reconciles a MachineDeployment: a MachineSet for its template, and the rollout from older ones. */
final class MachineDeploymentController {

    private final Listings listings;
    private final MachineSetTemplate template;
    private final Writes writes;

    MachineDeploymentController(Listings listings, MachineSetTemplate template, Writes writes) {
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
        Draft<MachineDeployment> draft = new Draft<>(deployment);
        if (Paused.show(draft, cluster) || Fields.isTrue(deployment, "spec", "paused")) {
            draft.write(writes);
            return null;
        }
        List<MachineSet> sets = listings.machineSetsOf(deployment);
        if (Contract.isDeleting(deployment)) {
            if (sets.isEmpty()) {
                draft.withoutFinalizer(Contract.MACHINE_DEPLOYMENT_FINALIZER);
                writes.patch(deployment, draft.change());
                return null;
            }
            sets.stream().filter(s -> !Contract.isDeleting(s)).forEach(writes::delete);
            draft.condition("Deleting", "True", "Deleting", "MachineSets left: " + sets.size());
            status(draft, sets, null, 0);
            draft.write(writes);
            return null;
        }
        draft.finalizer(Contract.MACHINE_DEPLOYMENT_FINALIZER);
        draft.owner(Contract.owner(cluster));
        defaults(draft, cluster);
        draft.condition("Deleting", "False", "NotDeleting", "");
        String current = template.name(deployment);
        int wanted = wanted(deployment);
        status(draft, sets, current, wanted);
        boolean defaulted = !draft.change().isEmpty();
        draft.write(writes);
        if (!defaulted) {
            roll(deployment, sets, current, wanted);
        }
        return null;
    }

    /** Defaults of Cluster API's webhook. */
    private static void defaults(Draft<MachineDeployment> draft, Cluster cluster) {
        MachineDeployment deployment = draft.read();
        String clusterName = cluster.getMetadata().getName();
        String name = deployment.getMetadata().getName();
        draft.label(Contract.CLUSTER_NAME, clusterName);
        if (Fields.integer(deployment, "spec", "replicas") == null) {
            draft.set(1, "spec", "replicas");
        }
        if (Fields.map(deployment, "spec", "selector", "matchLabels").isEmpty()
                && Fields.list(deployment, "spec", "selector", "matchExpressions")
                        .isEmpty()) {
            draft.set(clusterName, "spec", "selector", "matchLabels", Contract.CLUSTER_NAME);
            draft.set(name, "spec", "selector", "matchLabels", Contract.DEPLOYMENT_NAME);
        }
        draft.set(clusterName, "spec", "template", "metadata", "labels", Contract.CLUSTER_NAME);
        draft.set(name, "spec", "template", "metadata", "labels", Contract.DEPLOYMENT_NAME);
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
            template.align(new Draft<>(present), deployment, next.newReplicas()).write(writes);
        }
        int surplus = oldReplicas - next.oldReplicas();
        for (MachineSet set : old) {
            int has = wanted(set);
            int less = Math.min(has, surplus);
            surplus -= less;
            new Draft<>(set).set(has - less, "spec", "replicas").write(writes);
            if (has == 0 && count(set, "replicas") == 0 && !Contract.isDeleting(set)) {
                writes.delete(set);
            }
        }
    }

    private void status(Draft<MachineDeployment> draft, List<MachineSet> sets, @Nullable String current, int wanted) {
        MachineDeployment deployment = draft.read();
        List<Machine> machines = new ArrayList<>();
        sets.forEach(s -> machines.addAll(listings.machinesOf(s)));
        Counters counters =
                Counters.of(machines, m -> current != null && current.equals(Contract.label(m, Contract.SET_NAME)));
        draft.set(deployment.getMetadata().getGeneration().intValue(), "status", "observedGeneration");
        draft.set(Selectors.text(deployment), "status", "selector");
        counters.into(draft, "status");
        String refusal = sets.stream()
                .flatMap(s -> ConditionView.of(s, "ScalingUp").stream())
                .filter(c -> c.message().contains("blocked because:\n* "))
                .map(c -> c.message().substring(c.message().indexOf("\n* ") + 3))
                .findFirst()
                .orElse(null);
        ScalingConditions.write(draft, counters, wanted, refusal);
        boolean enough = counters.available() >= wanted - Surge.of(deployment, "maxUnavailable", 0, wanted);
        draft.condition(
                "Available",
                enough ? "True" : "False",
                enough ? "Available" : "NotAvailable",
                enough ? "" : counters.available() + " available replicas, at least " + wanted + " required");
        boolean rolling = counters.upToDate() < counters.replicas();
        draft.condition(
                "RollingOut",
                rolling ? "True" : "False",
                rolling ? "RollingOut" : "NotRollingOut",
                rolling ? counters.replicas() - counters.upToDate() + " Machines are not up to date" : "");
        String phase =
                counters.replicas() < wanted ? "ScalingUp" : counters.replicas() > wanted ? "ScalingDown" : "Running";
        draft.set(phase, "status", "phase");
    }

    private static int wanted(io.fabric8.kubernetes.api.model.GenericKubernetesResource resource) {
        return Objects.requireNonNullElse(Fields.integer(resource, "spec", "replicas"), 1);
    }

    private static int count(MachineSet set, String field) {
        return Objects.requireNonNullElse(Fields.integer(set, "status", field), 0);
    }
}
