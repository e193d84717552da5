package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.workload.EtcdHealth;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides which surplus Machine to delete: one at a time, and only while no other operation runs. */
public final class ScaleDown {

    private static final Comparator<Machine> OLDEST = Comparator.comparing(
                    (Machine machine) -> String.valueOf(machine.getMetadata().getCreationTimestamp()))
            .thenComparing(machine -> machine.getMetadata().getName());

    private ScaleDown() {}

    /** What to do now. */
    public sealed interface Decision {

        /** No Machine is surplus. */
        record None() implements Decision {}

        /** Delete this Machine. */
        record Delete(Machine machine) implements Decision {}

        /** Another operation or a failure prevents it. */
        record Wait(String message) implements Decision {}

        /** Ask the cluster whether etcd can lose a member. */
        record Ask() implements Decision {}
    }

    /** Phase of the installation. */
    public enum Stage {
        /** Nothing is installed: Machines can be created and deleted freely. */
        BEFORE,
        DURING,
        AFTER
    }

    /**
     * Decides.
     *
     * @param replicas {@code null} if not set: then nothing is deleted
     * @param machines the control plane's Machines, including those being deleted
     * @param etcd the cluster's answer, {@code null} if it has not been asked
     */
    public static Decision decide(
            @Nullable Integer replicas, Collection<Machine> machines, Stage stage, @Nullable EtcdHealth etcd) {
        List<Machine> staying =
                machines.stream().filter(machine -> !isDeleting(machine)).toList();
        if (replicas == null || staying.size() <= replicas) {
            return new Decision.None();
        }
        Machine chosen = choose(staying);
        if (stage == Stage.BEFORE) {
            return new Decision.Delete(chosen);
        }
        if (stage == Stage.DURING) {
            return new Decision.Wait("the installation is running; surplus Machines are deleted when it is complete");
        }
        List<String> deleting = names(machines, ScaleDown::isDeleting);
        if (!deleting.isEmpty()) {
            return new Decision.Wait("Machine " + String.join(", ", deleting) + " is still being deleted");
        }
        List<Machine> others = staying.stream()
                .filter(machine -> !machine.getMetadata()
                        .getName()
                        .equals(chosen.getMetadata().getName()))
                .toList();
        List<String> joining = names(others, machine -> MachineView.of(machine).nodeName() == null);
        if (!joining.isEmpty()) {
            return new Decision.Wait("Machine " + String.join(", ", joining) + " has no node yet");
        }
        List<String> unready = names(others, machine -> !MachineView.of(machine).isReady());
        if (!unready.isEmpty()) {
            return new Decision.Wait("Machine " + String.join(", ", unready)
                    + " is not Ready: repair it, or mark it with annotation " + Annotations.DELETE_MACHINE
                    + " to delete it first");
        }
        if (etcd == null) {
            return new Decision.Ask();
        }
        boolean healthy = MachineView.of(chosen).isReady();
        String obstacle = etcd.obstacle(healthy);
        if (obstacle == null && (healthy || etcd.members() == EtcdHealth.UNKNOWN)) {
            obstacle = etcd.missingMembers(machines.size());
        }
        return obstacle == null ? new Decision.Delete(chosen) : new Decision.Wait(obstacle);
    }

    /** The minimum number of etcd members: a majority of the desired replicas. */
    public static int majority(@Nullable Integer replicas) {
        return replicas == null ? 1 : replicas / 2 + 1;
    }

    /** Marked Machines first, then Machines that are not ready; of these the oldest in the fullest failure domain. */
    static Machine choose(List<Machine> machines) {
        List<Machine> marked = machines.stream()
                .filter(machine -> machine.getMetadata().getAnnotations() != null
                        && machine.getMetadata().getAnnotations().containsKey(Annotations.DELETE_MACHINE))
                .toList();
        List<Machine> broken = machines.stream()
                .filter(machine -> !MachineView.of(machine).isReady())
                .toList();
        List<Machine> eligible = !marked.isEmpty() ? marked : !broken.isEmpty() ? broken : machines;
        Map<String, Long> load = machines.stream()
                .collect(Collectors.groupingBy(ScaleDown::domain, TreeMap::new, Collectors.counting()));
        return eligible.stream()
                .min(Comparator.comparing(
                                (Machine machine) -> load.getOrDefault(domain(machine), 0L), Comparator.reverseOrder())
                        .thenComparing(ScaleDown::domain)
                        .thenComparing(OLDEST))
                .orElseThrow();
    }

    private static String domain(Machine machine) {
        String domain = MachineView.of(machine).failureDomain();
        return domain == null ? "" : domain;
    }

    private static boolean isDeleting(Machine machine) {
        return machine.getMetadata().getDeletionTimestamp() != null;
    }

    private static List<String> names(Collection<Machine> machines, Predicate<Machine> matching) {
        return machines.stream()
                .filter(matching)
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .toList();
    }
}
