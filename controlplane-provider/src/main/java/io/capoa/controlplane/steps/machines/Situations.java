package io.capoa.controlplane.steps.machines;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.UpToDate;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.Situation;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Derives what an operation is decided from. */
final class Situations {

    private Situations() {}

    static Situation of(ControlPlaneObservation observation, boolean upgrading, String updatingNodes, Instant now) {
        SortedMap<String, List<String>> outdated = new TreeMap<>();
        for (Machine machine : observation.machines()) {
            String name = machine.getMetadata().getName();
            OpenshiftAssistedConfig config = observation.config(name).orElse(null);
            List<String> differences = UpToDate.differences(
                    observation.identity(), machine, config, observation.infrastructureMachine(name), now);
            // Without its config nothing tells what the host was installed with.
            if (config != null && !differences.isEmpty()) {
                outdated.put(name, differences);
            }
        }
        return new Situation(
                observation.identity(),
                observation.machines(),
                observation.stage(),
                observation.retryDue(),
                upgrading,
                updatingNodes,
                outdated,
                now);
    }
}
