package io.capoa.bootstrap.config.observe;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.AssistedState;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.api.rules.node.InvalidNodeRegistrationException;
import io.capoa.bootstrap.ignition.NodeIgnition;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.status.Blocker;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Preconditions of a Machine's InfraEnv, in the order in which they become true. */
public final class Prerequisites {

    /** State of a cluster that is installed and takes further hosts. */
    static final String TAKES_HOSTS = "adding-hosts";

    /** States of an AgentClusterInstall in which it takes no further host. */
    private static final Set<String> INSTALLING = Set.of(
            "preparing-for-installation", "installing", "installing-pending-user-action", "finalizing", "installed");

    private static final Set<String> FAILED = Set.of("error", "cancelled");

    private Prerequisites() {}

    /** Whether anything depends on an AgentClusterInstall being in that state; it passes others before it begins. */
    static boolean isDecidedBy(String state) {
        return INSTALLING.contains(state) || FAILED.contains(state) || TAKES_HOSTS.equals(state);
    }

    /** The first that is missing. */
    public static Optional<Blocker> missing(ConfigObservation seen) {
        return ownerBlocker(seen.owner())
                .or(() -> clusterBlocker(seen))
                .or(() -> installBlocker(seen))
                .or(() -> seen.infraEnv() == null ? gate(seen.install()) : Optional.empty())
                .or(() -> infraEnvBlocker(seen))
                .or(() -> settingsBlocker(seen))
                .or(() -> pullSecretBlocker(seen));
    }

    /**
     * Why the host is not to be given its boot now. assisted-service refuses a host that first registers while its
     * cluster is being installed, or has failed to be, and the host's agent does not try again: it would be lost until its
     * next reboot. What has been given is not taken back, and a host that has been taken boots in any case.
     */
    public static Optional<Blocker> bootBlocker(ConfigObservation seen) {
        return seen.latched() || seen.hostTaken() ? Optional.empty() : gate(seen.install());
    }

    private static Optional<Blocker> ownerBlocker(Owner owner) {
        return switch (owner) {
            case Owner.Of of -> of.isGoing() ? Optional.of(of.going()) : Optional.empty();
            case Owner.Unset ignored ->
                because(ConfigConditions.WAITING_FOR_MACHINE, "Waiting for Cluster API to set a Machine as the owner");
            case Owner.Gone gone ->
                because(ConfigConditions.WAITING_FOR_MACHINE, "Machine " + gone.name() + " does not exist");
            case Owner.Unsupported other ->
                because(
                        ConfigConditions.UNSUPPORTED_OWNER,
                        other.kind() + " is not supported: bare-metal hosts are individual, use a MachineDeployment");
        };
    }

    private static Optional<Blocker> clusterBlocker(ConfigObservation seen) {
        Cluster cluster = seen.cluster();
        if (cluster == null) {
            return because(
                    ConfigConditions.WAITING_FOR_CLUSTER, "The Cluster that the Machine belongs to does not exist");
        }
        return ClusterView.of(cluster).isInfrastructureProvisioned()
                ? Optional.empty()
                : because(
                        ConfigConditions.WAITING_FOR_CLUSTER_INFRASTRUCTURE,
                        "Waiting for the infrastructure of Cluster "
                                + cluster.getMetadata().getName() + " to be provisioned");
    }

    private static Optional<Blocker> installBlocker(ConfigObservation seen) {
        if (seen.deployment() == null) {
            return because(
                    ConfigConditions.WAITING_FOR_ASSISTED_INSTALLER,
                    "Waiting for the ClusterDeployment of the control plane");
        }
        return seen.install() == null
                ? because(
                        ConfigConditions.WAITING_FOR_ASSISTED_INSTALLER,
                        "Waiting for the AgentClusterInstall of ClusterDeployment "
                                + seen.deployment().getMetadata().getName())
                : Optional.empty();
    }

    /** An installation that runs takes the hosts that it began with; later ones join the finished cluster. */
    private static Optional<Blocker> gate(@Nullable InstallFacts install) {
        if (install == null || install.state().isEmpty()) {
            return Optional.empty();
        }
        String state = install.state();
        String name = "AgentClusterInstall " + install.name();
        if (FAILED.contains(state)) {
            return because(
                    ConfigConditions.INSTALLATION_FAILED,
                    "The installation of the cluster has " + (state.equals("cancelled") ? "been " : "")
                            + AssistedState.ofCluster(state) + " (" + name + "): no host can join it");
        }
        return INSTALLING.contains(state)
                ? because(
                        ConfigConditions.WAITING_FOR_INSTALL_COMPLETE,
                        "Waiting for " + name + " to complete (" + AssistedState.ofCluster(state)
                                + "): the host will join the running cluster")
                : Optional.empty();
    }

    private static Optional<Blocker> infraEnvBlocker(ConfigObservation seen) {
        InfraEnv infraEnv = seen.infraEnv();
        return infraEnv == null || DesiredInfraEnv.belongsTo(infraEnv, seen.config())
                ? Optional.empty()
                : because(
                        ConfigConditions.INFRA_ENV_CONFLICT,
                        "InfraEnv " + infraEnv.getMetadata().getName()
                                + " does not belong to this config: delete or rename it");
    }

    /** Settings that cannot reach the node are reported before a host is booted for them. */
    private static Optional<Blocker> settingsBlocker(ConfigObservation seen) {
        try {
            if (seen.isOpen()) {
                var unused = NodeIgnition.discoveryOverride(seen.annotation(Annotations.DISCOVERY_IGNITION_OVERRIDE));
            }
            if (seen.infraEnv() == null) {
                var unused = NodeIgnition.installTime(
                        seen.config().getSpec(), seen.annotation(Annotations.IGNITION_OVERRIDE));
            }
            return Optional.empty();
        } catch (InvalidIgnitionException invalid) {
            return because(ConfigConditions.INVALID_IGNITION, String.valueOf(invalid.getMessage()));
        } catch (InvalidNodeRegistrationException invalid) {
            return because(ConfigConditions.INVALID_NODE_REGISTRATION, String.valueOf(invalid.getMessage()));
        }
    }

    private static Optional<Blocker> pullSecretBlocker(ConfigObservation seen) {
        String name = DesiredInfraEnv.pullSecretName(seen.config().getSpec());
        boolean ours = name.equals(DesiredInfraEnv.PLACEHOLDER_PULL_SECRET);
        return switch (seen.asked().pullSecret()) {
            case UNCHECKED, PRESENT -> Optional.empty();
            case MISSING ->
                ours
                        ? Optional.empty()
                        : because(
                                ConfigConditions.PULL_SECRET_NOT_FOUND,
                                "Secret " + name + " of spec.pullSecretRef does not exist: create it");
            case NOT_A_NAME ->
                ObjectName.problem("spec.pullSecretRef.name", name)
                        .flatMap(problem -> because(ConfigConditions.PULL_SECRET_INVALID, problem));
            case INVALID ->
                because(
                        ConfigConditions.PULL_SECRET_INVALID,
                        "Secret " + name + " has no JSON under its key .dockerconfigjson");
        };
    }

    private static Optional<Blocker> because(String reason, String message) {
        return Optional.of(new Blocker(reason, message));
    }
}
