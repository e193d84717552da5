package io.capoa.lab.core;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.WorkingCopy;
import java.util.List;
import java.util.function.Predicate;

/** The replica counters of a group of Machines (CAPI v1beta2: conditions Ready, Available, UpToDate of the Machines). */
record Counters(int replicas, int ready, int available, int upToDate) {

    static Counters of(List<Machine> machines, Predicate<Machine> upToDate) {
        return new Counters(
                machines.size(),
                count(machines, m -> ConditionView.isTrue(m, "Ready")),
                count(machines, m -> ConditionView.isTrue(m, "Available")),
                count(machines, upToDate));
    }

    /** Counts by the UpToDate condition that the Machines' owner sets. */
    static Counters of(List<Machine> machines) {
        return of(machines, m -> ConditionView.isTrue(m, "UpToDate"));
    }

    Counters plus(Counters other) {
        return new Counters(
                replicas + other.replicas, ready + other.ready, available + other.available, upToDate + other.upToDate);
    }

    /** Writes the counters to a path of the status. */
    void into(WorkingCopy<?> working, String... path) {
        put(working, replicas, "replicas", path);
        put(working, ready, "readyReplicas", path);
        put(working, available, "availableReplicas", path);
        put(working, upToDate, "upToDateReplicas", path);
    }

    private static void put(WorkingCopy<?> working, int value, String name, String... path) {
        String[] whole = java.util.Arrays.copyOf(path, path.length + 1);
        whole[path.length] = name;
        working.set(value, whole);
    }

    private static int count(List<Machine> machines, Predicate<Machine> matching) {
        return (int) machines.stream().filter(matching).count();
    }
}
