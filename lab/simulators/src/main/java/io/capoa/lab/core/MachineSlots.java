package io.capoa.lab.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a MachineSet's Machines, and the next free number; none is used twice. They are stored in an
 * annotation of the MachineSet with an optimistic lock, so that Machine names are deterministic even with a stale
 * cache.
 */
record MachineSlots(Set<Integer> taken, int next) {

    static final String ANNOTATION = "lab.capoa.io/machine-slots";

    /** Reads {@code "0 2 3 next 5"}. */
    static MachineSlots parse(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return new MachineSlots(Set.of(), 0);
        }
        List<String> words = List.of(text.split(" ", -1));
        Set<Integer> taken = new TreeSet<>();
        words.subList(0, words.size() - 2).forEach(w -> taken.add(Integer.valueOf(w)));
        return new MachineSlots(taken, Integer.parseInt(words.getLast()));
    }

    MachineSlots without(Collection<Integer> released) {
        Set<Integer> left = new TreeSet<>(taken);
        left.removeAll(released);
        return new MachineSlots(left, next);
    }

    /** Allocates numbers up to the wanted count. */
    MachineSlots grownTo(int wanted) {
        Set<Integer> grown = new TreeSet<>(taken);
        int at = next;
        while (grown.size() < wanted) {
            grown.add(at++);
        }
        return new MachineSlots(grown, at);
    }

    List<Integer> list() {
        return new ArrayList<>(new TreeSet<>(taken));
    }

    @Override
    public String toString() {
        List<String> words =
                new ArrayList<>(list().stream().map(String::valueOf).collect(Collectors.toList()));
        words.add("next");
        words.add(String.valueOf(next));
        return String.join(" ", words);
    }
}
