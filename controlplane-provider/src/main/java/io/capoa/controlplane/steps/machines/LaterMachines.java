package io.capoa.controlplane.steps.machines;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.MissingMachines;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.LiveMachines;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cares that a Machine that is made after the installation is made once, under a name of its own. The control plane
 * remembers the names that are used up, before the Machine that has one can be gone.
 */
public final class LaterMachines {

    private final KubernetesClient client;
    private final Applier applier;

    LaterMachines(KubernetesClient client, Applier applier) {
        this.client = client;
        this.applier = applier;
    }

    /** Writes down the names of Machines that exist and were made after the installation. */
    void remember(ControlPlaneObservation observation, List<Machine> machines) {
        Map<String, Object> patch = observation.installed()
                ? MissingMachines.namesToRemember(observation.identity(), names(machines))
                : Map.of();
        if (!patch.isEmpty()) {
            applier.patch(observation.controlPlane(), patch);
        }
    }

    /** Whether the API server has a Machine of the control plane that the cache does not show yet. */
    boolean isOvertaken(ControlPlaneObservation observation) {
        return !names(observation.machines()).containsAll(names(LiveMachines.list(client, observation.identity())));
    }

    private static Set<String> names(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getName()).collect(Collectors.toSet());
    }
}
