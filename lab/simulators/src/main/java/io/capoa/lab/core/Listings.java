package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Caches of the four kinds of Cluster API core, and their relations. */
record Listings(
        Caches.Cache<Cluster> clusters,
        Caches.Cache<Machine> machines,
        Caches.Cache<MachineSet> machineSets,
        Caches.Cache<MachineDeployment> machineDeployments) {

    static Listings of(Caches caches) {
        return new Listings(
                caches.of(Cluster.class),
                caches.of(Machine.class),
                caches.of(MachineSet.class),
                caches.of(MachineDeployment.class));
    }

    /** The key of the Cluster that {@code spec.clusterName} names. */
    static Key clusterKey(GenericKubernetesResource resource) {
        String name = Fields.string(resource, "spec", "clusterName");
        return new Key(resource.getMetadata().getNamespace(), name == null ? "" : name);
    }

    @Nullable
    Cluster clusterOf(GenericKubernetesResource resource) {
        return clusters.get(clusterKey(resource));
    }

    List<Machine> machinesOf(Key cluster) {
        return of(machines, cluster);
    }

    List<MachineSet> machineSetsOf(Key cluster) {
        return of(machineSets, cluster);
    }

    List<MachineDeployment> machineDeploymentsOf(Key cluster) {
        return of(machineDeployments, cluster);
    }

    List<Machine> machinesOf(MachineSet set) {
        return machinesOf(clusterKey(set)).stream()
                .filter(m -> Contract.isControlledBy(m, set))
                .toList();
    }

    List<MachineSet> machineSetsOf(MachineDeployment deployment) {
        return machineSetsOf(clusterKey(deployment)).stream()
                .filter(s -> Contract.isControlledBy(s, deployment))
                .toList();
    }

    private static <R extends GenericKubernetesResource> List<R> of(Caches.Cache<R> cache, Key cluster) {
        return cache.list(cluster.namespace())
                .filter(r -> cluster.name().equals(Fields.string(r, "spec", "clusterName")))
                .sorted(Comparator.comparing(r -> r.getMetadata().getName()))
                .toList();
    }
}
