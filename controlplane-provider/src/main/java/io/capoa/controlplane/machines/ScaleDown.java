package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.controlplane.workload.EtcdHealth;
import io.capoa.controlplane.workload.EtcdState;
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

    /**
     * Decides.
     *
     * @param spec of the control plane; without replicas nothing is deleted
     * @param machines the control plane's Machines, including those being deleted
     * @param etcd the cluster's answer, {@code null} if it has not been asked
     */
    public static Action decide(
            OpenshiftAssistedControlPlaneSpec spec,
            Collection<Machine> machines,
            Stage stage,
            @Nullable EtcdState etcd) {
        List<Machine> staying =
                machines.stream().filter(machine -> !isDeleting(machine)).toList();
        if (spec.replicas() == null || staying.size() <= spec.replicas()) {
            return new Action.Nothing();
        }
        Machine chosen = choose(Arbiters.surplus(spec, staying, staying));
        if (stage == Stage.BEFORE) {
            return new Action.Delete(chosen);
        }
        if (stage == Stage.DURING) {
            return new Action.Wait("the installation is running; surplus Machines are deleted when it is complete");
        }
        return spec.replicas() == 1 ? toSingleNode(staying.size()) : deletion(chosen, machines, etcd);
    }

    /** Refuses what the API server does, too: OpenShift fixes at the installation whether a cluster is a single node. */
    public static Action toSingleNode(int machines) {
        return new Action.Wait(
                "an installed cluster with %d hosts cannot become a single node: set spec.replicas to 3, 4 or 5"
                        .formatted(machines));
    }

    /**
     * Deletes a Machine of an installed cluster, unless something else has to come first.
     *
     * @param machines the control plane's Machines, including those being deleted
     * @param etcd the cluster's answer, {@code null} if it has not been asked
     */
    public static Action deletion(Machine chosen, Collection<Machine> machines, @Nullable EtcdState etcd) {
        List<String> deleting = names(machines, ScaleDown::isDeleting);
        if (!deleting.isEmpty()) {
            return new Action.Wait("Machine " + String.join(", ", deleting) + " is still being deleted");
        }
        List<Machine> others = machines.stream()
                .filter(machine -> !machine.getMetadata()
                        .getName()
                        .equals(chosen.getMetadata().getName()))
                .toList();
        List<Machine> joining = others.stream()
                .filter(machine -> MachineView.of(machine).nodeName() == null)
                .toList();
        if (!joining.isEmpty()) {
            return new Action.Wait(Joining.message(joining));
        }
        List<String> unready = names(others, machine -> !MachineView.of(machine).isReady());
        if (!unready.isEmpty()) {
            return new Action.Wait("Machine " + String.join(", ", unready)
                    + " is not Ready: repair it, or mark it with annotation " + Annotations.DELETE_MACHINE
                    + " to delete it first");
        }
        if (etcd == null) {
            return new Action.Ask();
        }
        EtcdHealth health = etcd.health();
        boolean healthy = MachineView.of(chosen).isReady() && (etcd.membership() == null || etcd.votes(chosen));
        String obstacle = health.obstacle(healthy);
        if (obstacle == null && (healthy || health.members() == EtcdHealth.UNKNOWN)) {
            obstacle = health.missingMembers(machines.size());
        }
        return obstacle == null ? new Action.Delete(chosen) : new Action.Wait(obstacle);
    }

    /** The minimum number of etcd members: a majority of the desired replicas. */
    public static int majority(@Nullable Integer replicas) {
        return replicas == null ? 1 : replicas / 2 + 1;
    }

    /** Marked Machines first, then Machines that are not ready; of these the oldest in the fullest failure domain. */
    public static Machine choose(List<Machine> machines) {
        List<Machine> marked = machines.stream().filter(ScaleDown::isMarked).toList();
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

    /** Whether the user has marked the Machine as the first to be deleted. */
    public static boolean isMarked(Machine machine) {
        return machine.getMetadata().getAnnotations() != null
                && machine.getMetadata().getAnnotations().containsKey(Annotations.DELETE_MACHINE);
    }

    private static String domain(Machine machine) {
        String domain = MachineView.of(machine).failureDomain();
        return domain == null ? "" : domain;
    }

    private static boolean isDeleting(Machine machine) {
        return machine.isMarkedForDeletion();
    }

    private static List<String> names(Collection<Machine> machines, Predicate<Machine> matching) {
        return machines.stream()
                .filter(matching)
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .toList();
    }
}
