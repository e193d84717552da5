package io.capoa.controlplane.machines;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.workload.EtcdHealth;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many Machines to create. Before the installation all of them, because the hosts are installed together;
 * in an installed cluster one at a time, each after the previous one has joined etcd: a member that fails while another
 * is being added can cost the quorum.
 */
public final class ScaleUp {

    private ScaleUp() {}

    /**
     * Decides.
     *
     * @param replicas {@code null} if not set: then nothing is created
     * @param machines the control plane's Machines, including those being deleted
     * @param floor how many members etcd has to have left after a removal
     * @param etcd the cluster's answer, {@code null} if it has not been asked
     */
    public static Action decide(
            @Nullable Integer replicas,
            Collection<Machine> machines,
            Stage stage,
            Floor floor,
            @Nullable EtcdHealth etcd) {
        long existing = stage == Stage.AFTER ? staying(machines).size() : machines.size();
        long missing = replicas == null ? 0 : replicas - existing;
        if (missing <= 0) {
            return new Action.Nothing();
        }
        return switch (stage) {
            case BEFORE -> new Action.Create((int) missing);
            case DURING -> new Action.Wait("the installation is running; Machines are added when it is complete");
            case AFTER -> toInstalled(machines, floor, etcd);
        };
    }

    /**
     * Creates one Machine of an installed cluster, unless something else has to come first.
     *
     * @param machines the control plane's Machines, including those being deleted
     * @param etcd the cluster's answer, {@code null} if it has not been asked
     */
    public static Action toInstalled(Collection<Machine> machines, Floor floor, @Nullable EtcdHealth etcd) {
        List<Machine> staying = staying(machines);
        List<Machine> joining = staying.stream()
                .filter(machine -> MachineView.of(machine).nodeName() == null)
                .toList();
        if (!joining.isEmpty()) {
            return new Action.Wait(Joining.message(joining));
        }
        List<String> unready =
                names(staying, machine -> !MachineView.of(machine).isReady());
        if (!unready.isEmpty()) {
            return new Action.Wait("Machine " + String.join(", ", unready)
                    + " is not Ready: repair it, or delete it so that it is replaced");
        }
        if (etcd == null) {
            return new Action.Ask();
        }
        String obstacle = etcd.obstacleToJoining();
        if (obstacle == null) {
            // Also of those that are being deleted: fewer members mean that one has just left, or not joined yet.
            obstacle = etcd.missingMembers(machines.size());
        }
        List<String> deleting = names(machines, machine -> machine.isMarkedForDeletion());
        // A removal that needs a new member first would block both forever.
        boolean held = etcd.members() != EtcdHealth.UNKNOWN && etcd.members() <= floor.healthy();
        if (obstacle == null && !deleting.isEmpty() && !held) {
            obstacle = "Machine " + String.join(", ", deleting) + " is still being deleted";
        }
        return obstacle == null ? new Action.Create(1) : new Action.Wait(obstacle);
    }

    /** Refuses what the API server refuses through v1beta1 only: OpenShift fixes at the installation what a cluster is. */
    public static Action ofSingleNode() {
        return new Action.Wait(
                "the cluster was installed as a single node and cannot have more: set spec.replicas to 1");
    }

    private static List<Machine> staying(Collection<Machine> machines) {
        return machines.stream()
                .filter(machine -> !machine.isMarkedForDeletion())
                .toList();
    }

    private static List<String> names(Collection<Machine> machines, Predicate<Machine> matching) {
        return machines.stream()
                .filter(matching)
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .toList();
    }
}
