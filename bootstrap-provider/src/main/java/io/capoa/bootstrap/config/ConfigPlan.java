package io.capoa.bootstrap.config;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.bootstrap.agent.AgentChoice;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.boot.Download;
import io.capoa.bootstrap.ignition.InvalidIgnitionException;
import io.capoa.bootstrap.ignition.InvalidNodeRegistrationException;
import io.capoa.bootstrap.ignition.NodeIgnition;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What one reconcile of a config is to write, and what is then true; a pure function of the observation.
 *
 * @param infraEnv to apply
 * @param placeholderPullSecret whether the InfraEnv needs the stand-in for a pull secret
 * @param dataSecret to create
 * @param dataAvailable whether the bootstrap data exists once all is written
 * @param dataHindrance why it does not
 * @param infraEnvHindrance why the InfraEnv is not ready
 * @param agents which host is the Machine's
 * @param agentPatch to merge into that Agent
 * @param agentHindrance why the Agent is not approved once all is written
 */
record ConfigPlan(
        @Nullable InfraEnv infraEnv,
        boolean placeholderPullSecret,
        @Nullable Secret dataSecret,
        boolean dataAvailable,
        Optional<Hindrance> dataHindrance,
        Optional<Hindrance> infraEnvHindrance,
        AgentChoice agents,
        Map<String, Object> agentPatch,
        Optional<Hindrance> agentHindrance) {

    private static final Pattern TOKEN = Pattern.compile("(api_key=)[^&\\s\"]+");

    static ConfigPlan of(ConfigObservation seen) {
        Optional<Hindrance> missing = Prerequisites.missing(seen);
        boolean settled = seen.latched() || seen.dataSecretExists();
        InfraEnv desired = missing.isEmpty() && !settled ? desiredInfraEnv(seen) : null;

        Optional<Hindrance> infraEnv = missing.isPresent() && !ours(seen) ? missing : bootMedia(seen);
        Secret secret = null;
        Optional<Hindrance> data = Optional.empty();
        if (!settled) {
            data = missing.or(() -> infraEnv).or(() -> downloadHindrance(seen.download()));
            if (data.isEmpty() && seen.download() instanceof Download.Known known) {
                try {
                    secret = dataSecret(seen, known);
                } catch (InvalidIgnitionException invalid) {
                    data = Optional.of(
                            new Hindrance(ConfigConditions.INVALID_IGNITION, String.valueOf(invalid.getMessage())));
                }
            }
        }
        return withAgent(
                seen,
                new ConfigPlan(
                        desired,
                        desired != null && needsPlaceholder(seen),
                        secret,
                        settled || secret != null,
                        data,
                        infraEnv,
                        ours(seen) ? AgentChoice.among(seen.agents()) : new AgentChoice(null, List.of()),
                        Map.of(),
                        Optional.empty()));
    }

    private static boolean ours(ConfigObservation seen) {
        return seen.infraEnv() != null && DesiredInfraEnv.belongsTo(seen.infraEnv(), seen.config());
    }

    private static ConfigPlan withAgent(ConfigObservation seen, ConfigPlan plan) {
        Agent agent = plan.agents().agent();
        if (agent == null || !(seen.owner() instanceof Owner.Of owner)) {
            return plan;
        }
        boolean approved = Fields.isTrue(agent, "spec", "approved");
        if (!AgentFields.isOpen(agent)) {
            return plan.agent(
                    Map.of(),
                    approved
                            ? Optional.empty()
                            : Optional.of(new Hindrance(
                                    ConfigConditions.WAITING_FOR_APPROVAL,
                                    "Agent " + agent.getMetadata().getName()
                                            + " is in a state in which it takes no changes")));
        }
        try {
            String ignition =
                    NodeIgnition.installTime(seen.config().getSpec(), seen.annotation(Annotations.IGNITION_OVERRIDE));
            Map<String, Object> patch =
                    AgentFields.patch(agent, owner.machine(), seen.config().getSpec(), ignition);
            return plan.agent(patch, Optional.empty());
        } catch (InvalidIgnitionException | InvalidNodeRegistrationException invalid) {
            String reason = invalid instanceof InvalidIgnitionException
                    ? ConfigConditions.INVALID_IGNITION
                    : ConfigConditions.INVALID_NODE_REGISTRATION;
            return plan.agent(
                    Map.of(),
                    approved
                            ? Optional.empty()
                            : Optional.of(new Hindrance(reason, String.valueOf(invalid.getMessage()))));
        }
    }

    /** The same when the bootstrap data could not be stored. */
    ConfigPlan withoutData(Hindrance why) {
        return new ConfigPlan(
                infraEnv,
                placeholderPullSecret,
                null,
                false,
                Optional.of(why),
                infraEnvHindrance,
                agents,
                agentPatch,
                agentHindrance);
    }

    private ConfigPlan agent(Map<String, Object> patch, Optional<Hindrance> hindrance) {
        return new ConfigPlan(
                infraEnv,
                placeholderPullSecret,
                dataSecret,
                dataAvailable,
                dataHindrance,
                infraEnvHindrance,
                agents,
                patch,
                hindrance);
    }

    private static @Nullable InfraEnv desiredInfraEnv(ConfigObservation seen) {
        ClusterDeployment deployment = seen.deployment();
        if (deployment == null || !(seen.owner() instanceof Owner.Of owner)) {
            return null;
        }
        boolean joinsLater = seen.install() != null && ConditionView.isTrue(seen.install(), "Completed");
        return DesiredInfraEnv.of(
                seen.config(), owner.machine(), deployment, clusterName(seen), seen.infraEnv() != null && joinsLater);
    }

    private static boolean needsPlaceholder(ConfigObservation seen) {
        return seen.pullSecret() == ConfigObservation.PullSecret.MISSING
                && DesiredInfraEnv.pullSecretName(seen.config().getSpec())
                        .equals(DesiredInfraEnv.PLACEHOLDER_PULL_SECRET);
    }

    private static Optional<Hindrance> bootMedia(ConfigObservation seen) {
        InfraEnv infraEnv = seen.infraEnv();
        if (infraEnv == null) {
            return Optional.of(new Hindrance(
                    ConfigConditions.WAITING_FOR_INFRA_ENV_TO_BE_READY,
                    seen.latched() ? "The InfraEnv is gone" : "Waiting for assisted-service to see the InfraEnv"));
        }
        String name = "InfraEnv " + infraEnv.getMetadata().getName();
        Optional<ConditionView> image = ConditionView.of(infraEnv, "ImageCreated");
        if (image.isPresent() && image.get().status().equals("False")) {
            return Optional.of(new Hindrance(
                    ConfigConditions.IMAGE_CREATION_FAILED,
                    name + ": " + TOKEN.matcher(image.get().message()).replaceAll("$1…")));
        }
        return seen.bootMediaKnown()
                ? Optional.empty()
                : Optional.of(new Hindrance(
                        ConfigConditions.WAITING_FOR_INFRA_ENV_TO_BE_READY,
                        "Waiting for assisted-service to publish the boot media of " + name));
    }

    private static Optional<Hindrance> downloadHindrance(Download download) {
        return switch (download) {
            case Download.Known ignored -> Optional.empty();
            case Download.None ignored -> downloading();
            case Download.Pending ignored -> downloading();
            case Download.Failed failed -> Optional.of(new Hindrance(failed.reason(), failed.message()));
        };
    }

    private static Optional<Hindrance> downloading() {
        return Optional.of(
                new Hindrance(ConfigConditions.DOWNLOADING_IGNITION, "The discovery ignition is being downloaded"));
    }

    private static Secret dataSecret(ConfigObservation seen, Download.Known known) {
        byte[] data = NodeIgnition.discovery(
                known.ignition().toByteArray(), seen.config().getSpec(), "The discovery ignition");
        return BootstrapData.secret(seen.config(), clusterName(seen), data);
    }

    private static String clusterName(ConfigObservation seen) {
        return Objects.requireNonNull(seen.cluster()).getMetadata().getName();
    }
}
