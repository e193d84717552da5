package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves Machines between the MachineSets of a MachineDeployment, for an update in place. */
final class MachineMoves {

    private final Listings listings;
    private final Externals externals;
    private final Writes writes;

    MachineMoves(Listings listings, Externals externals, Writes writes) {
        this.listings = listings;
        this.externals = externals;
        this.writes = writes;
    }

    /** Whether surplus Machines are moved instead of being deleted, also while no MachineSet takes them. */
    static boolean isMoving(MachineSet set) {
        return !InPlace.names(set, InPlace.MOVE_TO).isEmpty();
    }

    /** The MachineSet that surplus Machines go to, or {@code null} while it does not take them. */
    @Nullable
    MachineSet target(MachineSet set) {
        List<String> to = InPlace.names(set, InPlace.MOVE_TO);
        MachineSet target = to.isEmpty()
                ? null
                : listings.machineSets().get(new Key(set.getMetadata().getNamespace(), to.getFirst()));
        return target != null
                        && InPlace.names(target, InPlace.RECEIVE_FROM)
                                .contains(set.getMetadata().getName())
                ? target
                : null;
    }

    /** Machines without a Node or in an update stay where they are. */
    static boolean isMovable(Machine machine) {
        return Fields.string(machine, "status", "nodeRef", "name") != null && !InPlace.isUpdating(machine);
    }

    void move(Machine machine, MachineSet from, MachineSet to) {
        String uid = from.getMetadata().getUid();
        OwnerReference owner = Contract.controller(to);
        new WorkingCopy<>(machine)
                .withoutOwners(reference -> uid.equals(reference.get("uid")))
                .owner(owner)
                .label(Contract.SET_NAME, to.getMetadata().getName())
                .set("", "metadata", "annotations", InPlace.IN_PROGRESS)
                .set("", "metadata", "annotations", InPlace.PENDING_MOVE)
                .set(to.getMetadata().getUid(), "metadata", "annotations", InPlace.RECEIVED_BY)
                .write(writes);
    }

    /** Writes the template's fields into a received Machine and its objects, then marks the hook as pending. */
    void complete(MachineSet set, Machine machine) {
        if (!InPlace.isUpdating(machine) || InPlace.isHookPending(machine) || !InPlace.isCounted(machine, set)) {
            return;
        }
        mark(set, machine, List.of("infrastructureRef"));
        mark(set, machine, List.of("bootstrap", "configRef"));
        WorkingCopy<Machine> working = new WorkingCopy<>(machine);
        for (String field : List.of("version", "failureDomain")) {
            working.set(Fields.any(set, "spec", "template", "spec", field), "spec", field);
        }
        working.set(null, "metadata", "annotations", InPlace.PENDING_MOVE)
                .set(
                        InPlace.with(InPlace.names(machine, InPlace.PENDING_HOOKS), InPlace.HOOK),
                        "metadata",
                        "annotations",
                        InPlace.PENDING_HOOKS)
                .write(writes);
    }

    /** The template's spec goes into the object as it is; fields that are not in it belong to others and stay. */
    private void mark(MachineSet set, Machine machine, List<String> path) {
        String[] fields = path.toArray(String[]::new);
        Reference to = Reference.of(
                machine.getMetadata().getNamespace(), Fields.any((Object) Fields.map(machine, "spec"), fields));
        Reference from = Reference.of(
                set.getMetadata().getNamespace(),
                Fields.any((Object) Fields.map(set, "spec", "template", "spec"), fields));
        GenericKubernetesResource object = to == null ? null : externals.get(to);
        if (to == null || object == null) {
            return;
        }
        WorkingCopy<GenericKubernetesResource> working = new WorkingCopy<>(object);
        working.set("", "metadata", "annotations", InPlace.IN_PROGRESS);
        GenericKubernetesResource template = from == null ? null : externals.get(from);
        if (from != null && template != null) {
            working.set(from.name(), "metadata", "annotations", Contract.CLONED_FROM_NAME);
            Fields.map(template, "spec", "template", "spec")
                    .forEach((field, value) -> working.set(value, "spec", field));
        }
        externals.write(working, to);
    }
}
