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

    /** What to do now. */
    public sealed interface Decision {

        /** Enough Machines exist. */
        record None() implements Decision {}

        /** Create this number of Machines. */
        record Create(int count) implements Decision {}

        /** Another operation or a failure prevents it. */
        record Wait(String message) implements Decision {}

        /** Ask the cluster whether etcd can take a member. */
        record Ask() implements Decision {}
    }

    /**
     * Decides.
     *
     * @param replicas {@code null} if not set: then nothing is created
     * @param machines the control plane's Machines, including those being deleted
     * @param etcd the cluster's answer, {@code null} if it has not been asked
     */
    public static Decision decide(
            @Nullable Integer replicas,
            Collection<Machine> machines,
            ScaleDown.Stage stage,
            @Nullable EtcdHealth etcd) {
        int missing = replicas == null ? 0 : replicas - machines.size();
        if (missing <= 0) {
            return new Decision.None();
        }
        return switch (stage) {
            case BEFORE -> new Decision.Create(missing);
            case DURING -> new Decision.Wait("the installation is running; Machines are added when it is complete");
            case AFTER -> toInstalled(machines, ScaleDown.majority(replicas), etcd);
        };
    }

    private static Decision toInstalled(Collection<Machine> machines, int majority, @Nullable EtcdHealth etcd) {
        List<Machine> staying = machines.stream()
                .filter(machine -> machine.getMetadata().getDeletionTimestamp() == null)
                .toList();
        List<String> joining = names(staying, machine -> MachineView.of(machine).nodeName() == null);
        if (!joining.isEmpty()) {
            return new Decision.Wait("Machine " + String.join(", ", joining) + " has no node yet");
        }
        List<String> unready =
                names(staying, machine -> !MachineView.of(machine).isReady());
        if (!unready.isEmpty()) {
            return new Decision.Wait("Machine " + String.join(", ", unready)
                    + " is not Ready: repair it, or delete it so that it is replaced");
        }
        if (etcd == null) {
            return new Decision.Ask();
        }
        // The new member may repair a degraded etcd.
        String obstacle = etcd.obstacle(false);
        if (obstacle == null) {
            obstacle = etcd.missingMembers(staying.size());
        }
        List<String> deleting = names(machines, machine -> machine.getMetadata().getDeletionTimestamp() != null);
        // A removal that needs a new member first would block both forever.
        boolean held = etcd.members() != EtcdHealth.UNKNOWN && etcd.members() <= majority;
        if (obstacle == null && !deleting.isEmpty() && !held) {
            obstacle = "Machine " + String.join(", ", deleting) + " is still being deleted";
        }
        return obstacle == null ? new Decision.Create(1) : new Decision.Wait(obstacle);
    }

    private static List<String> names(Collection<Machine> machines, Predicate<Machine> matching) {
        return machines.stream()
                .filter(matching)
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .toList();
    }
}
