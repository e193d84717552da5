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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which Machine goes when there are more than are wanted: one at a time, and only while nothing else happens to
 * the control plane.
 */
public final class ScaleDown {

    private static final Comparator<Machine> OLDEST = Comparator.comparing(
                    (Machine machine) -> String.valueOf(machine.getMetadata().getCreationTimestamp()))
            .thenComparing(machine -> machine.getMetadata().getName());

    private ScaleDown() {}

    /** What to do now. */
    public sealed interface Decision {

        /** There are not too many. */
        record None() implements Decision {}

        /** This one goes. */
        record Delete(Machine machine) implements Decision {}

        /** Another operation or a fault is in the way. */
        record Wait(String message) implements Decision {}

        /** The cluster is to be asked whether it can lose a member. */
        record Ask() implements Decision {}
    }

    /** How far the installation is, as far as it matters here. */
    public enum Stage {
        /** Nothing is installed: Machines come and go freely. */
        BEFORE,
        DURING,
        AFTER
    }

    /**
     * The decision.
     *
     * @param replicas {@code null} where the spec does not say: then nothing is deleted
     * @param machines the control plane's Machines, those that are being deleted included
     * @param etcd what the cluster says, {@code null} where it has not been asked
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
            return new Decision.Wait("the installation runs; Machines go when it is complete");
        }
        List<String> deleting = names(machines, ScaleDown::isDeleting);
        if (!deleting.isEmpty()) {
            return new Decision.Wait("Machine " + String.join(", ", deleting) + " has to be gone first");
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
                    + " to let it go first");
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

    /** How many members etcd must never have less of: a majority of those that are wanted. */
    public static int majority(@Nullable Integer replicas) {
        return replicas == null ? 1 : replicas / 2 + 1;
    }

    /** Marked ones first, then ones that are not ready; of these the oldest in the fullest failure domain. */
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

    private static List<String> names(Collection<Machine> machines, java.util.function.Predicate<Machine> matching) {
        return machines.stream()
                .filter(matching)
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .toList();
    }
}
