package io.capoa.controlplane.machines;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import java.util.Collection;
import java.util.stream.Collectors;

/** Words for Machines whose node has not joined the cluster yet. */
final class Joining {

    private static final String INFRASTRUCTURE_READY = "InfrastructureReady";

    private Joining() {}

    /** Names the Machines, and what their infrastructure provider waits for, such as a free host. */
    static String message(Collection<Machine> machines) {
        return machines.stream()
                .sorted((a, b) ->
                        a.getMetadata().getName().compareTo(b.getMetadata().getName()))
                .map(machine -> "Machine " + machine.getMetadata().getName() + " has no node yet" + why(machine))
                .collect(Collectors.joining("; "));
    }

    private static String why(Machine machine) {
        return MachineView.of(machine)
                .condition(INFRASTRUCTURE_READY)
                .filter(condition -> !condition.isTrue() && !condition.message().isBlank())
                .map(condition -> " (" + condition.message().replace('\n', ' ').strip() + ")")
                .orElse("");
    }
}
