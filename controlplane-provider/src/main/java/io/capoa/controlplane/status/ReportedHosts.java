package io.capoa.controlplane.status;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.status.ReportedConditions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the hosts that have registered with assisted-service, and names those that have not or are not ready. */
final class ReportedHosts {

    /** Maximum number of names in a message. */
    private static final int NAMED = 5;

    private ReportedHosts() {}

    static String message(ControlPlaneObservation observation) {
        return message(observation.configs(), required(observation.install()));
    }

    /**
     * The message.
     *
     * @param configs of all Machines of the Cluster
     * @param required number of hosts that the installation needs
     */
    static String message(List<OpenshiftAssistedConfig> configs, int required) {
        List<OpenshiftAssistedConfig> unreported =
                configs.stream().filter(config -> !hasReported(config)).toList();
        String blocked = BlockedHosts.message(configs).map("; "::concat).orElse("");
        int reported = configs.size() - unreported.size();
        int all = Math.max(required, configs.size());
        if (reported == all) {
            return (all == 1 ? "the host has" : "all %d hosts have".formatted(all)) + " reported to assisted-service"
                    + (blocked.isEmpty() ? ", which validates the cluster" : blocked);
        }
        String count = "%d of %d hosts have reported to assisted-service".formatted(reported, all);
        List<String> silent = unreported.stream()
                .filter(config -> !BlockedHosts.isBlocked(config))
                .map(config -> config.getMetadata().getName())
                .sorted()
                .toList();
        if (silent.isEmpty()) {
            return count + blocked;
        }
        String more = silent.size() > NAMED ? " and %d more".formatted(silent.size() - NAMED) : "";
        return count + "; see OpenshiftAssistedConfig "
                + String.join(", ", silent.subList(0, Math.min(NAMED, silent.size()))) + more + blocked;
    }

    private static boolean hasReported(OpenshiftAssistedConfig config) {
        return ReportedConditions.in(config.getStatus()).isTrue(ConfigConditions.AGENT_REGISTERED);
    }

    private static int required(@Nullable AgentClusterInstall install) {
        AgentClusterInstallView view = AgentClusterInstallView.of(install);
        return view.controlPlaneAgents() + view.workerAgents();
    }
}
