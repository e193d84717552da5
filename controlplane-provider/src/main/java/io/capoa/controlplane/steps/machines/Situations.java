package io.capoa.controlplane.steps.machines;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.UpToDate;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.Situation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
                isSingleNode(observation.install()),
                observation.retryDue(),
                upgrading,
                updatingNodes,
                pendingTopology(observation),
                outdated,
                now);
    }

    private static boolean isSingleNode(@Nullable AgentClusterInstall install) {
        return install != null && AgentClusterInstallView.of(install).controlPlaneAgents() == 1;
    }

    /** In an upgrade over several minor versions, core names the version of the step in an annotation. */
    private static @Nullable String pendingTopology(ControlPlaneObservation observation) {
        Map<String, String> labels = observation.controlPlane().getMetadata().getLabels();
        String version = observation.controlPlane().getSpec().version();
        String topology = ClusterView.of(observation.cluster()).topologyVersion();
        boolean pending = labels != null
                && labels.containsKey(Labels.TOPOLOGY_OWNED)
                && version != null
                && topology != null
                && !version.equals(topology)
                && !version.equals(ClusterView.of(observation.cluster()).upgradeStep());
        return pending ? topology : null;
    }
}
