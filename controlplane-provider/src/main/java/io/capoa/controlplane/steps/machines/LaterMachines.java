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
 * Ensures that a Machine created after the installation is created once and under a new name. An annotation of the
 * control plane records used names before their Machines are deleted.
 */
public final class LaterMachines {

    private final KubernetesClient client;
    private final Applier applier;

    LaterMachines(KubernetesClient client, Applier applier) {
        this.client = client;
        this.applier = applier;
    }

    /** Records the names of existing Machines that were created after the installation. */
    void record(ControlPlaneObservation observation, List<Machine> machines) {
        Map<String, Object> patch = observation.installed()
                ? MissingMachines.namesToRecord(observation.identity(), names(machines))
                : Map.of();
        if (!patch.isEmpty()) {
            applier.patch(observation.controlPlane(), patch);
        }
    }

    /** Whether the API server has a Machine of the control plane that the cache lacks. */
    boolean isCacheStale(ControlPlaneObservation observation) {
        return !names(observation.machines()).containsAll(names(LiveMachines.list(client, observation.identity())));
    }

    private static Set<String> names(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getName()).collect(Collectors.toSet());
    }
}
