package io.capoa.bootstrap.config.write;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigSources;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.config.plan.DeletionPlan;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.bootstrap.infrastructure.Host;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletes the Agents and InfraEnvs of a config that is being deleted. */
public final class ConfigDeletion {

    private final KubernetesClient client;
    private final Applier applier;
    private final ConfigSources sources;
    private final HostWrites hosts;

    public ConfigDeletion(KubernetesClient client, Applier applier, ConfigSources sources, HostWrites hosts) {
        this.client = client;
        this.applier = applier;
        this.sources = sources;
        this.hosts = hosts;
    }

    /**
     * Goes as far as it can.
     *
     * @return what is waited for; empty when nothing is left
     */
    public Optional<String> proceed(ConfigObservation seen) {
        if (seen.paused()) {
            return Optional.of("the pause to end");
        }
        Machine machine = isControlPlane(seen) ? machine(seen) : null;
        if (machine != null && !isGoing(machine)) {
            // Otherwise its host would leave the cluster, and etcd lose a member, without a decision to do so.
            return Optional.of("control plane Machine " + machine.getMetadata().getName() + " to be deleted");
        }
        Host host = seen.infrastructure().host();
        if (host != null) {
            // After the config is gone nothing gives the host back, and it could not be deprovisioned.
            hosts.detachment(seen, host.release());
        }
        List<InfraEnv> infraEnvs = infraEnvs(seen);
        DeletionPlan plan = DeletionPlan.of(infraEnvs, agents(seen, infraEnvs));
        plan.agents().forEach(this::delete);
        plan.infraEnvs().forEach(applier::delete);
        return plan.waitingFor();
    }

    /**
     * Deletes an Agent that is as it was observed. One that has changed, as when its host was bound to another cluster a
     * moment ago, is left to the reconcile that the change triggers.
     */
    private void delete(Agent agent) {
        try {
            // Else it stays where its node cannot be deleted, as in a cluster that is not installed or has no power.
            Agent marked = applier.patchIfUnchanged(sources.agents(), agent, AgentFields.nodeStays());
            var unused = applier.deleteIfUnchanged(marked);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    /** The owner; while its kind is not watched, the cache does not say whether it is gone. */
    private @Nullable Machine machine(ConfigObservation seen) {
        if (seen.owner() instanceof Owner.Of owner) {
            return owner.machine();
        }
        return seen.owner() instanceof Owner.Gone gone
                        && !sources.machines().isKnown()
                        && ObjectName.isValid(gone.name())
                ? ByName.select(client.resources(Machine.class).inNamespace(seen.namespace()), gone.name())
                        .get()
                : null;
    }

    /** The hosts of the InfraEnvs; of the Machine's name where none is left. */
    private List<Agent> agents(ConfigObservation seen, List<InfraEnv> infraEnvs) {
        return infraEnvs.isEmpty()
                ? seen.infraEnv() == null ? seen.agents() : List.of()
                : infraEnvs.stream()
                        .flatMap(infraEnv -> sources
                                .agents()
                                .byIndex(
                                        ConfigSources.BY_MACHINE,
                                        ConfigSources.scoped(
                                                infraEnv, infraEnv.getMetadata().getName()))
                                .stream())
                        .toList();
    }

    /** Those made for the config, also when the Machine that they are named after can no longer be told. */
    private List<InfraEnv> infraEnvs(ConfigObservation seen) {
        OpenshiftAssistedConfig config = seen.config();
        String name = config.getMetadata().getName();
        Stream<InfraEnv> byLabel = sources.infraEnvs().isKnown()
                ? sources.infraEnvs().byIndex(ConfigSources.BY_CONFIG, ConfigSources.scoped(config, name)).stream()
                : live(seen.namespace(), name);
        return Stream.concat(byLabel, Stream.ofNullable(seen.infraEnv()))
                .filter(infraEnv -> DesiredInfraEnv.belongsTo(infraEnv, config))
                .collect(Collectors.toMap(
                        infraEnv -> infraEnv.getMetadata().getName(), infraEnv -> infraEnv, (a, b) -> a))
                .values()
                .stream()
                .toList();
    }

    /** Asks the API server while the kind is not watched: when the kind is gone, so are its objects. */
    private Stream<InfraEnv> live(String namespace, String config) {
        try {
            return client
                    .resources(InfraEnv.class)
                    .inNamespace(namespace)
                    .withLabel(Labels.CONFIG_NAME, config)
                    .list()
                    .getItems()
                    .stream();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Stream.empty();
            }
            throw e;
        }
    }

    private static boolean isControlPlane(ConfigObservation seen) {
        Map<String, String> labels = seen.config().getMetadata().getLabels();
        return seen.latched() && labels != null && labels.containsKey(Labels.CONTROL_PLANE);
    }

    private static boolean isGoing(HasMetadata resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }
}
