package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reconciles a Machine: bootstrap data, infrastructure, Node, update in place, deletion. */
final class MachineController {

    private final Listings listings;
    private final Externals externals;
    private final Ownership ownership;
    private final MachineNode node;
    private final MachineDeletion deletion;
    private final MachineUpdates updates;
    private final Writes writes;

    MachineController(
            Listings listings,
            Externals externals,
            Ownership ownership,
            MachineNode node,
            MachineDeletion deletion,
            MachineUpdates updates,
            Writes writes) {
        this.listings = listings;
        this.externals = externals;
        this.ownership = ownership;
        this.node = node;
        this.deletion = deletion;
        this.updates = updates;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        Machine machine = listings.machines().get(key);
        Cluster cluster = machine == null ? null : listings.clusterOf(machine);
        if (machine == null || cluster == null) {
            return null;
        }
        WorkingCopy<Machine> working = new WorkingCopy<>(machine);
        if (Paused.show(working, cluster)) {
            working.write(writes);
            return null;
        }
        if (!Contract.isDeleting(machine)
                && !machine.getMetadata().getFinalizers().contains(Contract.MACHINE_FINALIZER)) {
            // First: without the finalizer, adopted objects would be lost if the Machine was deleted unnoticed.
            machine = working.finalizer(Contract.MACHINE_FINALIZER).write(writes);
            working = new WorkingCopy<>(machine);
        }
        working.set(machine.getMetadata().getGeneration().intValue(), "status", "observedGeneration");
        working.label(Contract.CLUSTER_NAME, cluster.getMetadata().getName());
        if (Contract.isDeleting(machine)) {
            MachineDeletion.Progress progress = deletion.advance(working, cluster);
            if (progress.done()) {
                working.withoutFinalizer(Contract.MACHINE_FINALIZER);
                writes.patch(machine, working.change());
                return null;
            }
            bootstrap(working, cluster);
            infrastructure(working, cluster);
            node.observe(working, cluster);
            CoreMachineConditions.write(working);
            working.write(writes);
            return progress.again();
        }
        if (Contract.controllerOf(machine) == null && Contract.label(machine, Contract.CONTROL_PLANE_NAME) == null) {
            working.owner(Contract.owner(cluster));
        }
        working.condition("Deleting", "False", "NotDeleting", "");
        bootstrap(working, cluster);
        infrastructure(working, cluster);
        node.observe(working, cluster);
        Duration update = updates.advance(working);
        Duration again = CoreMachineConditions.write(working);
        working.write(writes);
        return update == null ? again : update;
    }

    /** Copies the name of the bootstrap data Secret once; later changes of the config are ignored. */
    private void bootstrap(WorkingCopy<Machine> working, Cluster cluster) {
        Machine machine = working.read();
        Reference ref = Reference.of(machine, "spec", "bootstrap", "configRef");
        boolean latched = Fields.string(machine, "spec", "bootstrap", "dataSecretName") != null;
        if (latched) {
            working.set(true, "status", "initialization", "bootstrapDataSecretCreated");
        }
        if (ref == null) {
            working.condition(
                    "BootstrapConfigReady",
                    latched ? "True" : "False",
                    latched ? "DataSecretProvided" : "NotReady",
                    latched ? "" : "spec.bootstrap has neither configRef nor dataSecretName");
            return;
        }
        GenericKubernetesResource config = externals.get(ref);
        if (config == null) {
            missing(working, "BootstrapConfigReady", ref, latched);
            return;
        }
        boolean created = Fields.isTrue(config, "status", "initialization", "dataSecretCreated");
        ConditionMirror.mirror(
                working, "BootstrapConfigReady", config, "Ready", created, "status.initialization.dataSecretCreated");
        if (Contract.isDeleting(machine)) {
            return;
        }
        ownership.take(ref, config, machine, cluster.getMetadata().getName());
        String secret = Fields.string(config, "status", "dataSecretName");
        if (created && !latched && secret == null) {
            working.condition(
                    "BootstrapConfigReady",
                    "Unknown",
                    "InternalError",
                    "status.dataSecretName of " + ref.kind() + " " + ref.name()
                            + " is empty although status.initialization.dataSecretCreated is true");
        } else if (created && !latched) {
            working.set(secret, "spec", "bootstrap", "dataSecretName");
            working.set(true, "status", "initialization", "bootstrapDataSecretCreated");
        }
    }

    private void infrastructure(WorkingCopy<Machine> working, Cluster cluster) {
        Machine machine = working.read();
        Reference ref = Reference.of(machine, "spec", "infrastructureRef");
        if (ref == null) {
            return;
        }
        GenericKubernetesResource infra = externals.get(ref);
        if (infra == null) {
            missing(
                    working,
                    "InfrastructureReady",
                    ref,
                    working.isTrue("status", "initialization", "infrastructureProvisioned"));
            return;
        }
        boolean provisioned = Fields.isTrue(infra, "status", "initialization", "provisioned");
        ConditionMirror.mirror(
                working, "InfrastructureReady", infra, "Ready", provisioned, "status.initialization.provisioned");
        if (Contract.isDeleting(machine)) {
            return;
        }
        ownership.take(ref, infra, machine, cluster.getMetadata().getName());
        String providerId = Fields.string(infra, "spec", "providerID");
        if (!provisioned) {
            return;
        }
        if (providerId == null) {
            working.condition(
                    "InfrastructureReady",
                    "Unknown",
                    "InternalError",
                    "spec.providerID of " + ref.kind() + " " + ref.name() + " is empty although it is provisioned");
            return;
        }
        working.set(providerId, "spec", "providerID");
        var addresses = Fields.list(infra, "status", "addresses");
        working.set(addresses.isEmpty() ? null : addresses, "status", "addresses");
        working.set(Fields.string(infra, "spec", "failureDomain"), "status", "failureDomain");
        working.set(true, "status", "initialization", "infrastructureProvisioned");
    }

    private static void missing(WorkingCopy<Machine> working, String condition, Reference ref, boolean was) {
        working.condition(
                condition,
                "False",
                was ? "Deleted" : "DoesNotExist",
                ref.kind() + " " + ref.name() + (was ? " has been deleted" : " does not exist"));
    }
}
