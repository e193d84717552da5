package io.capoa.bootstrap.config.observe;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import org.jspecify.annotations.Nullable;

/**
 * All that a config's decisions read of its cluster's AgentClusterInstall; an update that leaves it equal, see {@link
 * #readBy}, does not requeue the config.
 *
 * @param name of the AgentClusterInstall
 * @param state of assisted-service, as far as anything depends on it; else empty
 * @param completed whether the installation is complete
 * @param completedAt RFC 3339 time at which it was completed, if that is known
 * @param rejection why assisted-service refuses the cluster, and the remedy; {@code null} if it does not
 */
public record InstallFacts(
        String name,
        String state,
        boolean completed,
        @Nullable String completedAt,
        @Nullable String rejection) {

    static InstallFacts of(AgentClusterInstall install) {
        AgentClusterInstallView view = AgentClusterInstallView.of(install);
        return new InstallFacts(
                install.getMetadata().getName(),
                view.state(),
                view.isCompleted(),
                view.completedAt().orElse(null),
                view.refusal()
                        .map(refusal -> refusal.message() + "; " + refusal.remedy())
                        .orElse(null));
    }

    /** Whether the cluster is installed and takes further hosts. */
    public boolean takesHosts() {
        return Prerequisites.TAKES_HOSTS.equals(state);
    }

    /**
     * What is read of it for that config: the course of an installation only until the host has been given its boot, see
     * {@link Prerequisites#bootBlocker}, or where its InfraEnv has to be created again.
     */
    public InstallFacts readBy(OpenshiftAssistedConfig config, boolean hasInfraEnv) {
        return takesHosts() || !hasInfraEnv || !ConfigObservation.latched(config)
                ? this
                : new InstallFacts(name, "", completed, completedAt, rejection);
    }
}
