package io.capoa.bootstrap.config.write;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.InfraEnv;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.boot.IgnitionDownloads;
import io.capoa.bootstrap.config.observe.BootstrapData;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigSources;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.config.observe.PullSecrets;
import io.capoa.bootstrap.config.plan.AgentPlan;
import io.capoa.bootstrap.config.plan.ConfigPlan;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Objects;
import java.util.Optional;

/** Writes a plan, in the order of the objects' dependencies; a refused write ends the reconcile. */
public final class ConfigWrites {

    private final KubernetesClient client;
    private final Applier applier;
    private final ConfigSources sources;
    private final PullSecrets pullSecrets;
    private final IgnitionDownloads downloads;

    public ConfigWrites(
            KubernetesClient client,
            Applier applier,
            ConfigSources sources,
            PullSecrets pullSecrets,
            IgnitionDownloads downloads) {
        this.client = client;
        this.applier = applier;
        this.sources = sources;
        this.pullSecrets = pullSecrets;
        this.downloads = downloads;
    }

    /**
     * Writes everything.
     *
     * @return why the bootstrap data is not there after all
     * @throws WriteFailure when the API server refuses
     */
    public Optional<Blocker> apply(ConfigObservation seen, ConfigPlan plan) {
        infraEnv(seen, plan);
        boot(seen, plan);
        Optional<Blocker> conflict = data(seen.config(), plan.data());
        agents(plan.agents());
        return conflict;
    }

    private void infraEnv(ConfigObservation seen, ConfigPlan plan) {
        InfraEnv desired = plan.infraEnv();
        if (desired == null) {
            return;
        }
        if (plan.placeholderPullSecret()) {
            WriteFailure.explain(
                    ConfigConditions.INFRA_ENV_READY,
                    ConfigConditions.INFRA_ENV_FAILED,
                    "Secret " + DesiredInfraEnv.PLACEHOLDER_PULL_SECRET,
                    () -> pullSecrets.createPlaceholder(seen.namespace()));
        }
        WriteFailure.explain(
                ConfigConditions.INFRA_ENV_READY,
                ConfigConditions.INFRA_ENV_FAILED,
                "InfraEnv " + desired.getMetadata().getName(),
                () -> applier.apply(sources.infraEnvs(), desired, seen.infraEnv()));
    }

    /** Whether writing the plan has changed an InfraEnv whose media are in use: they are made from other things then. */
    public boolean hasChangedMedia(ConfigObservation seen, ConfigPlan plan) {
        InfraEnv before = seen.infraEnv();
        return before != null
                && plan.infraEnv() != null
                && seen.dataSecret() != null
                && sources.infraEnvs()
                        .get(seen.namespace(), before.getMetadata().getName())
                        .filter(now -> !Objects.equals(
                                now.getMetadata().getGeneration(),
                                before.getMetadata().getGeneration()))
                        .isPresent();
    }

    /** Refused when the machine has changed meanwhile: it may have taken a host with the former address. */
    private void boot(ConfigObservation seen, ConfigPlan plan) {
        HasMetadata machine = seen.infrastructure().machine();
        if (!plan.boot().isEmpty() && machine != null && seen.owner() instanceof Owner.Of owner) {
            WriteFailure.explain(
                    ConfigConditions.DATA_SECRET_AVAILABLE,
                    ConfigConditions.LIVE_ISO_FAILED,
                    "The live ISO of " + machine.getKind() + " "
                            + machine.getMetadata().getName(),
                    () -> sources.infrastructure().patchIfUnchanged(applier, owner.machine(), machine, plan.boot()));
        }
    }

    private Optional<Blocker> data(OpenshiftAssistedConfig config, ConfigPlan.Data data) {
        Secret secret = data.secret();
        if (secret == null) {
            return Optional.empty();
        }
        String name = secret.getMetadata().getName();
        WriteFailure.explain(
                ConfigConditions.DATA_SECRET_AVAILABLE,
                ConfigConditions.CREATING_SECRET_FAILED,
                "Secret " + name,
                () -> write(secret, data.renewed()));
        // One that exists without our label is not in the cache: created by the Go provider or another client.
        HasMetadata present = sources.dataSecrets()
                .get(secret.getMetadata().getNamespace(), name)
                .orElseGet(() -> ByName.select(
                                client.secrets()
                                        .inNamespace(secret.getMetadata().getNamespace()),
                                name)
                        .get());
        if (present == null || !BootstrapData.belongsTo(present, config)) {
            return Optional.of(new Blocker(
                    ConfigConditions.SECRET_CONFLICT,
                    "Secret " + name + " exists and does not belong to this config: delete it"));
        }
        if (!BootstrapData.isLabelled(present)) {
            WriteFailure.explain(
                    ConfigConditions.DATA_SECRET_AVAILABLE,
                    ConfigConditions.CREATING_SECRET_FAILED,
                    "Secret " + name,
                    () -> applier.patch(present, BootstrapData.labels(secret)));
        }
        downloads.forget(ResourceID.fromResource(config));
        return Optional.empty();
    }

    /** The cached Secret has no data, so that new data always differs from it. */
    private void write(Secret secret, boolean renewed) {
        Optional<Secret> cached = sources.dataSecrets()
                .get(secret.getMetadata().getNamespace(), secret.getMetadata().getName());
        if (renewed && cached.isPresent()) {
            applier.patch(sources.dataSecrets(), cached.get(), BootstrapData.renewal(secret));
        } else {
            applier.create(sources.dataSecrets(), secret);
        }
    }

    private void agents(AgentPlan plan) {
        for (Agent other : plan.withdrawn()) {
            explain(other, () -> applier.patch(sources.agents(), other, AgentFields.withdrawal()));
        }
        Agent agent = plan.choice().agent();
        if (agent != null && !plan.patch().isEmpty()) {
            explain(agent, () -> applier.patch(sources.agents(), agent, plan.patch()));
        }
    }

    private static void explain(Agent agent, Runnable write) {
        WriteFailure.explain(
                ConfigConditions.AGENT_APPROVED,
                ConfigConditions.AGENT_UPDATE_FAILED,
                "Agent " + agent.getMetadata().getName(),
                write);
    }
}
