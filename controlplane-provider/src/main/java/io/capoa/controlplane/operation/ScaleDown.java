package io.capoa.controlplane.operation;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.workload.health.EtcdState;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which surplus Machine to delete: one at a time, and only while no other operation runs. */
final class ScaleDown {

    private static final Comparator<Machine> OLDEST = Comparator.comparing(
                    (Machine machine) -> String.valueOf(machine.getMetadata().getCreationTimestamp()))
            .thenComparing(machine -> machine.getMetadata().getName());

    private ScaleDown() {}

    /** Decides; without replicas in the spec nothing is deleted. */
    static Action decide(Situation situation, @Nullable EtcdState etcd) {
        Machines staying = situation.machines().staying();
        Integer replicas = situation.replicas();
        if (replicas == null || staying.size() <= replicas) {
            return new Action.Nothing();
        }
        if (situation.stage() == Stage.DURING) {
            return new Action.Defer("the installation is running; surplus Machines are deleted when it is complete");
        }
        Machine chosen = choose(Arbiters.surplus(situation.spec(), staying, staying));
        if (situation.stage() == Stage.BEFORE) {
            return new Action.Delete(chosen);
        }
        return replicas == 1 ? toSingleNode(staying.size()) : Preflight.deletion(situation, etcd, chosen);
    }

    /** Refuses what the API server does, too: OpenShift fixes at the installation whether a cluster is a single node. */
    static Action toSingleNode(int machines) {
        return new Action.Defer(
                "an installed cluster with %d hosts cannot become a single node: set spec.replicas to 3, 4 or 5"
                        .formatted(machines));
    }

    /** Marked Machines first, then Machines that are not ready; of these the oldest in the fullest failure domain. */
    static Machine choose(Machines machines) {
        Machines marked = machines.marked();
        Machines broken = machines.unready();
        Machines eligible = !marked.isEmpty() ? marked : !broken.isEmpty() ? broken : machines;
        Map<String, Machines> domains = machines.byFailureDomain();
        return eligible.stream()
                .min(Comparator.comparing(
                                (Machine machine) -> domains.getOrDefault(Machines.domain(machine), Machines.of())
                                        .size(),
                                Comparator.reverseOrder())
                        .thenComparing(Machines::domain)
                        .thenComparing(OLDEST))
                .orElseThrow();
    }
}
