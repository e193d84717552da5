package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reconciles a MachineSet: creates and deletes Machines, or moves them to another MachineSet. */
final class MachineSetController {

    /** A Machine that was moved is another's: its changes do not reconcile this MachineSet. */
    private static final Duration AFTER_MOVE = Duration.ofMillis(200);

    private final Listings listings;
    private final Externals externals;
    private final MachineClones clones;
    private final MachineSetRemediation remediation;
    private final MachineMoves moves;
    private final Writes writes;

    MachineSetController(
            Listings listings, Externals externals, MachineClones clones, MachineMoves moves, Writes writes) {
        this.listings = listings;
        this.externals = externals;
        this.clones = clones;
        this.remediation = new MachineSetRemediation(writes);
        this.moves = moves;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        MachineSet set = listings.machineSets().get(key);
        Cluster cluster = set == null ? null : listings.clusterOf(set);
        if (set == null || cluster == null) {
            return null;
        }
        WorkingCopy<MachineSet> working = new WorkingCopy<>(set);
        if (Paused.show(working, cluster)) {
            working.write(writes);
            return null;
        }
        List<Machine> machines = listings.machinesOf(set);
        if (Contract.isDeleting(set)) {
            delete(working, machines);
            return null;
        }
        working.finalizer(Contract.MACHINE_SET_FINALIZER);
        working.label(Contract.CLUSTER_NAME, cluster.getMetadata().getName());
        if (Contract.controllerOf(set) == null) {
            working.owner(Contract.owner(cluster));
        }
        scale(working, cluster, machines);
        remediation.remediate(machines, refusal(set, cluster));
        machines.forEach(machine -> moves.complete(set, machine));
        return MachineMoves.isMoving(set) ? AFTER_MOVE : null;
    }

    private void delete(WorkingCopy<MachineSet> working, List<Machine> machines) {
        if (machines.isEmpty()) {
            working.withoutFinalizer(Contract.MACHINE_SET_FINALIZER);
            writes.patch(working.read(), working.change());
            return;
        }
        machines.stream().filter(m -> !Contract.isDeleting(m)).forEach(writes::delete);
        working.condition("Deleting", "True", "Deleting", "Machines left: " + machines.size());
        status(working, machines, null);
        working.write(writes);
    }

    private void scale(WorkingCopy<MachineSet> working, Cluster cluster, List<Machine> machines) {
        MachineSet set = working.read();
        int wanted = Objects.requireNonNullElse(Fields.integer(set, "spec", "replicas"), 1);
        Map<String, Machine> byName = byName(machines);
        MachineSlots before = MachineSlots.parse(annotation(set, MachineSlots.ANNOTATION));
        MachineSet target = moves.target(set);

        // Machines that are being deleted, or have to be, free their number. Received ones have none.
        List<Integer> released = new ArrayList<>();
        List<Machine> staying = new ArrayList<>(received(set, machines));
        int received = staying.size();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int slot : before.list()) {
            Machine machine = byName.get(name(set, slot));
            numbers.put(name(set, slot), slot);
            if (machine != null && Contract.isDeleting(machine)) {
                released.add(slot);
            } else if (machine != null) {
                staying.add(machine);
            }
        }
        List<Machine> leaving =
                leaving(set, target, staying, before.taken().size() - released.size() + received - wanted);
        for (Machine machine : leaving) {
            Integer slot = numbers.get(machine.getMetadata().getName());
            if (slot == null) {
                received--;
            } else {
                released.add(slot);
            }
        }
        MachineSlots slots = before.without(released);
        String refusal = null;
        if (slots.taken().size() + received < wanted) {
            refusal = refusal(set, cluster);
            slots = refusal == null ? slots.grownTo(wanted - received) : slots;
        }
        store(working, before, slots);
        working.condition("Deleting", "False", "NotDeleting", "");
        status(working, machines, refusal);
        working.write(writes);

        // Machines are created and deleted only after the numbers have been stored.
        List<String> kept = slots.list().stream().map(s -> name(set, s)).toList();
        // A number beyond the known ones belongs to a newer version of the set: the cache is stale.
        Stream<Machine> numbered = IntStream.range(0, before.next())
                .mapToObj(slot -> byName.get(name(set, slot)))
                .filter(m -> m != null && !kept.contains(name(m)) && !InPlace.isReceived(m, set));
        release(set, target, Stream.concat(numbered, leaving.stream().filter(m -> InPlace.isReceived(m, set))));
        kept.stream().filter(n -> !byName.containsKey(n)).forEach(n -> clones.create(set, n));
    }

    private static void store(WorkingCopy<MachineSet> working, MachineSlots before, MachineSlots slots) {
        if (!slots.equals(before)) {
            working.set(slots.toString(), "metadata", "annotations", MachineSlots.ANNOTATION);
        }
    }

    private static Map<String, Machine> byName(List<Machine> machines) {
        Map<String, Machine> byName = new LinkedHashMap<>();
        machines.forEach(m -> byName.put(m.getMetadata().getName(), m));
        return byName;
    }

    /** Machines that count and were not created by the MachineSet itself. */
    private static List<Machine> received(MachineSet set, List<Machine> machines) {
        return machines.stream()
                .filter(m -> InPlace.isReceived(m, set) && InPlace.isCounted(m, set) && !Contract.isDeleting(m))
                .toList();
    }

    /**
     * Machines that are too many. Where they are to be moved, those that cannot be moved now stay, and all of them while
     * no MachineSet takes them.
     */
    private static List<Machine> leaving(
            MachineSet set, @Nullable MachineSet target, List<Machine> staying, int surplus) {
        boolean moving = MachineMoves.isMoving(set);
        List<Machine> candidates = staying.stream()
                .filter(m -> !moving || (target != null && MachineMoves.isMovable(m)))
                .toList();
        String order = Objects.requireNonNullElse(Fields.string(set, "spec", "deletion", "order"), "Random");
        return ScaleDownOrder.first(candidates, Math.max(0, surplus), order);
    }

    /** Moves surplus Machines, or deletes those that are not to be moved. */
    private void release(MachineSet set, @Nullable MachineSet target, Stream<Machine> surplus) {
        Stream<Machine> leaving = surplus.filter(m -> !Contract.isDeleting(m));
        if (target != null) {
            leaving.forEach(machine -> moves.move(machine, set, target));
        } else if (!MachineMoves.isMoving(set)) {
            leaving.forEach(writes::delete);
        }
    }

    private @Nullable String refusal(MachineSet set, Cluster cluster) {
        Reference missing = clones.missingTemplate(set);
        if (missing != null) {
            return missing.kind() + " " + missing.name() + " does not exist";
        }
        Reference ref = Reference.of(cluster, "spec", "controlPlaneRef");
        return ref == null
                ? null
                : MachineSetPreflight.refusal(externals.get(ref), annotation(set, Contract.SKIP_PREFLIGHT));
    }

    private static void status(WorkingCopy<MachineSet> working, List<Machine> machines, @Nullable String refusal) {
        MachineSet set = working.read();
        int wanted =
                Contract.isDeleting(set) ? 0 : Objects.requireNonNullElse(Fields.integer(set, "spec", "replicas"), 1);
        working.set(set.getMetadata().getGeneration().intValue(), "status", "observedGeneration");
        working.set(Selectors.text(set), "status", "selector");
        Counters counters = Counters.of(machines, m -> true);
        counters.into(working, "status");
        ScalingConditions.write(working, counters, wanted, refusal);
    }

    private static String name(Machine machine) {
        return machine.getMetadata().getName();
    }

    static String name(MachineSet set, int slot) {
        return Names.of(set.getMetadata().getName(), set.getMetadata().getUid() + "/" + slot);
    }

    private static @Nullable String annotation(MachineSet set, String key) {
        Map<String, String> annotations = set.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(key);
    }
}
