package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.actors.Draft;
import io.capoa.lab.actors.Key;
import io.capoa.lab.actors.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reconciles a Machine: bootstrap data, infrastructure, Node, deletion. */
final class MachineController {

    private final Listings listings;
    private final Externals externals;
    private final Ownership ownership;
    private final MachineNode node;
    private final MachineDeletion deletion;
    private final Writes writes;

    MachineController(
            Listings listings,
            Externals externals,
            Ownership ownership,
            MachineNode node,
            MachineDeletion deletion,
            Writes writes) {
        this.listings = listings;
        this.externals = externals;
        this.ownership = ownership;
        this.node = node;
        this.deletion = deletion;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        Machine machine = listings.machines().get(key);
        Cluster cluster = machine == null ? null : listings.clusterOf(machine);
        if (machine == null || cluster == null) {
            return null;
        }
        Draft<Machine> draft = new Draft<>(machine);
        if (Paused.show(draft, cluster)) {
            draft.write(writes);
            return null;
        }
        if (!Contract.isDeleting(machine)
                && !machine.getMetadata().getFinalizers().contains(Contract.MACHINE_FINALIZER)) {
            // First: without the finalizer, adopted objects would be lost if the Machine was deleted unnoticed.
            machine = draft.finalizer(Contract.MACHINE_FINALIZER).write(writes);
            draft = new Draft<>(machine);
        }
        draft.set(machine.getMetadata().getGeneration().intValue(), "status", "observedGeneration");
        draft.label(Contract.CLUSTER_NAME, cluster.getMetadata().getName());
        if (Contract.isDeleting(machine)) {
            MachineDeletion.Progress progress = deletion.advance(draft, cluster);
            if (progress.done()) {
                draft.withoutFinalizer(Contract.MACHINE_FINALIZER);
                writes.patch(machine, draft.change());
                return null;
            }
            bootstrap(draft, cluster);
            infrastructure(draft, cluster);
            node.observe(draft, cluster);
            MachineConditions.write(draft);
            draft.write(writes);
            return progress.again();
        }
        if (Contract.controllerOf(machine) == null && Contract.label(machine, Contract.CONTROL_PLANE_NAME) == null) {
            draft.owner(Contract.owner(cluster));
        }
        draft.condition("Deleting", "False", "NotDeleting", "");
        bootstrap(draft, cluster);
        infrastructure(draft, cluster);
        node.observe(draft, cluster);
        Duration again = MachineConditions.write(draft);
        draft.write(writes);
        return again;
    }

    /** Copies the name of the bootstrap data Secret once; later changes of the config are ignored. */
    private void bootstrap(Draft<Machine> draft, Cluster cluster) {
        Machine machine = draft.read();
        Reference ref = Reference.of(machine, "spec", "bootstrap", "configRef");
        boolean latched = Fields.string(machine, "spec", "bootstrap", "dataSecretName") != null;
        if (latched) {
            draft.set(true, "status", "initialization", "bootstrapDataSecretCreated");
        }
        if (ref == null) {
            draft.condition(
                    "BootstrapConfigReady",
                    latched ? "True" : "False",
                    latched ? "DataSecretProvided" : "NotReady",
                    latched ? "" : "spec.bootstrap has neither configRef nor dataSecretName");
            return;
        }
        GenericKubernetesResource config = externals.get(ref);
        if (config == null) {
            missing(draft, "BootstrapConfigReady", ref, latched);
            return;
        }
        boolean created = Fields.isTrue(config, "status", "initialization", "dataSecretCreated");
        ConditionMirror.mirror(
                draft, "BootstrapConfigReady", config, "Ready", created, "status.initialization.dataSecretCreated");
        if (Contract.isDeleting(machine)) {
            return;
        }
        ownership.take(ref, config, machine, cluster.getMetadata().getName());
        String secret = Fields.string(config, "status", "dataSecretName");
        if (created && !latched && secret == null) {
            draft.condition(
                    "BootstrapConfigReady",
                    "Unknown",
                    "InternalError",
                    "status.dataSecretName of " + ref.kind() + " " + ref.name()
                            + " is empty although status.initialization.dataSecretCreated is true");
        } else if (created && !latched) {
            draft.set(secret, "spec", "bootstrap", "dataSecretName");
            draft.set(true, "status", "initialization", "bootstrapDataSecretCreated");
        }
    }

    private void infrastructure(Draft<Machine> draft, Cluster cluster) {
        Machine machine = draft.read();
        Reference ref = Reference.of(machine, "spec", "infrastructureRef");
        if (ref == null) {
            return;
        }
        GenericKubernetesResource infra = externals.get(ref);
        if (infra == null) {
            missing(
                    draft,
                    "InfrastructureReady",
                    ref,
                    draft.isTrue("status", "initialization", "infrastructureProvisioned"));
            return;
        }
        boolean provisioned = Fields.isTrue(infra, "status", "initialization", "provisioned");
        ConditionMirror.mirror(
                draft, "InfrastructureReady", infra, "Ready", provisioned, "status.initialization.provisioned");
        if (Contract.isDeleting(machine)) {
            return;
        }
        ownership.take(ref, infra, machine, cluster.getMetadata().getName());
        String providerId = Fields.string(infra, "spec", "providerID");
        if (!provisioned) {
            return;
        }
        if (providerId == null) {
            draft.condition(
                    "InfrastructureReady",
                    "Unknown",
                    "InternalError",
                    "spec.providerID of " + ref.kind() + " " + ref.name() + " is empty although it is provisioned");
            return;
        }
        draft.set(providerId, "spec", "providerID");
        var addresses = Fields.list(infra, "status", "addresses");
        draft.set(addresses.isEmpty() ? null : addresses, "status", "addresses");
        draft.set(Fields.string(infra, "spec", "failureDomain"), "status", "failureDomain");
        draft.set(true, "status", "initialization", "infrastructureProvisioned");
    }

    private static void missing(Draft<Machine> draft, String condition, Reference ref, boolean was) {
        draft.condition(
                condition,
                "False",
                was ? "Deleted" : "DoesNotExist",
                ref.kind() + " " + ref.name() + (was ? " has been deleted" : " does not exist"));
    }
}
