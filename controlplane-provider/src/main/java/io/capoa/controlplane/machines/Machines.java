package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Machines of one control plane, with the selections that decisions are made from, as Cluster API's collections. Immutable;
 * a selection keeps the order. Their names are unique, for they are of one namespace.
 */
public final class Machines extends AbstractList<Machine> {

    private final List<Machine> machines;

    private Machines(List<Machine> machines) {
        this.machines = machines;
    }

    /** These Machines, in this order. */
    public static Machines of(Machine... machines) {
        return new Machines(List.of(machines));
    }

    /** These Machines, in this order. */
    public static Machines of(Collection<Machine> machines) {
        return machines instanceof Machines already ? already : new Machines(List.copyOf(machines));
    }

    @Override
    public Machine get(int index) {
        return machines.get(index);
    }

    @Override
    public int size() {
        return machines.size();
    }

    /** Those that the predicate selects. */
    public Machines filter(Predicate<Machine> selected) {
        return new Machines(machines.stream().filter(selected).toList());
    }

    /** Those that are not being deleted. */
    public Machines staying() {
        return filter(machine -> !machine.isMarkedForDeletion());
    }

    /** Those that are being deleted. */
    public Machines deleting() {
        return filter(Machine::isMarkedForDeletion);
    }

    /** Those whose node has not joined the cluster yet. */
    public Machines joining() {
        return filter(machine -> MachineView.of(machine).nodeName() == null);
    }

    /** Those whose condition Ready is not True. */
    public Machines unready() {
        return filter(machine -> !MachineView.of(machine).isReady());
    }

    /** Those that the user has marked as the first to be deleted. */
    public Machines marked() {
        return filter(machine -> Annotations.has(machine, Annotations.DELETE_MACHINE));
    }

    /** The others. */
    public Machines without(Machine machine) {
        String name = machine.getMetadata().getName();
        return filter(other -> !name.equals(other.getMetadata().getName()));
    }

    /** By {@link #domain}. */
    public SortedMap<String, Machines> byFailureDomain() {
        return machines.stream()
                .collect(Collectors.groupingBy(
                        Machines::domain,
                        TreeMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), Machines::new)));
    }

    /** Its failure domain; empty without one. */
    public static String domain(Machine machine) {
        return Objects.requireNonNullElse(MachineView.of(machine).failureDomain(), "");
    }

    /** Their names, sorted, in a set that the caller may change. */
    public SortedSet<String> names() {
        return machines.stream()
                .map(machine -> machine.getMetadata().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Names of their Nodes; those that are {@link #joining} have none. */
    public List<String> nodes() {
        return machines.stream()
                .map(machine -> MachineView.of(machine).nodeName())
                .filter(Objects::nonNull)
                .toList();
    }
}
