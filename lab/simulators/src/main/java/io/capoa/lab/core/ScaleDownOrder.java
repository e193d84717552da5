package io.capoa.lab.core;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import java.util.Comparator;
import java.util.List;

/**
 * Order in which a MachineSet deletes Machines: those marked for deletion, then those without a Node or unhealthy, then
 * by {@code spec.deletion.order}. Random is by name here, so that runs are comparable.
 */
final class ScaleDownOrder {

    private ScaleDownOrder() {}

    static List<Machine> first(List<Machine> machines, int count, String order) {
        return machines.stream().sorted(comparator(order)).limit(count).toList();
    }

    private static Comparator<Machine> comparator(String order) {
        Comparator<Machine> byAge = Comparator.comparing(m -> m.getMetadata().getCreationTimestamp());
        Comparator<Machine> byPolicy = switch (order) {
            case "Newest" -> byAge.reversed();
            case "Oldest" -> byAge;
            default -> (ignored, unused) -> 0;
        };
        return Comparator.comparingInt(ScaleDownOrder::rank)
                .thenComparing(byPolicy)
                .thenComparing(m -> m.getMetadata().getName());
    }

    private static int rank(Machine machine) {
        if (Contract.hasAnnotation(machine, Contract.DELETE_MACHINE)) {
            return 0;
        }
        boolean healthy = Fields.string(machine, "status", "nodeRef", "name") != null
                && ConditionView.of(machine, "NodeHealthy")
                        .filter(c -> c.status().equals("False"))
                        .isEmpty();
        return healthy ? 2 : 1;
    }
}
