package io.capoa.controlplane.operation;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.workload.EtcdState;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds the creation and deletion of Machines of an installed control plane while its Kubernetes components are not well, or
 * the Cluster's topology is about to upgrade it, as the preflight checks of KubeadmControlPlane do.
 */
final class Preflight {

    private Preflight() {}

    /** The action, or why it has to wait. */
    static Action of(Situation situation, @Nullable EtcdState etcd, Action action) {
        if (situation.stage() != Stage.AFTER || etcd == null) {
            return action;
        }
        String pending = situation.pendingTopology();
        if (pending != null && (action instanceof Action.Create || action instanceof Action.Delete)) {
            return new Action.Wait(pending);
        }
        return switch (action) {
            case Action.Create create -> {
                List<Machine> leaving = situation.machines().stream()
                        .filter(Situation::isDeleting)
                        .toList();
                yield unless(
                        obstacle(
                                etcd,
                                situation.staying(),
                                leaving,
                                leaving.stream().anyMatch(machine -> !etcd.votes(machine))),
                        create);
            }
            case Action.Delete delete -> {
                Machine leaving = delete.machine();
                yield unless(
                        obstacle(
                                etcd,
                                others(situation, leaving),
                                List.of(leaving),
                                !MachineView.of(leaving).isReady() || !etcd.votes(leaving)),
                        delete);
            }
            default -> action;
        };
    }

    /** Machines of the control plane that stay without this one. */
    static List<Machine> others(Situation situation, Machine machine) {
        return situation.staying().stream()
                .filter(other -> !other.getMetadata()
                        .getUid()
                        .equals(machine.getMetadata().getUid()))
                .toList();
    }

    /** Names of the Nodes of Machines. */
    static List<String> nodes(Collection<Machine> machines) {
        return machines.stream()
                .map(machine -> MachineView.of(machine).nodeName())
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable String obstacle(
            EtcdState etcd, Collection<Machine> staying, Collection<Machine> leaving, boolean broken) {
        return etcd.components().obstacle(nodes(staying), nodes(leaving), broken);
    }

    private static Action unless(@Nullable String obstacle, Action action) {
        return obstacle == null ? action : new Action.Wait(obstacle);
    }
}
