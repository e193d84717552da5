package io.capoa.bootstrap.config.write;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigSources;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.config.plan.LostHost;
import io.capoa.bootstrap.infrastructure.Host;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the bootstrap provider's annotations on the objects of hosts. Every write is refused if the host has changed since
 * it was read, or is another one of the same name.
 */
public final class HostWrites {

    private final KubernetesClient client;
    private final Applier applier;
    private final ConfigSources sources;

    public HostWrites(KubernetesClient client, Applier applier, ConfigSources sources) {
        this.client = client;
        this.applier = applier;
        this.sources = sources;
    }

    /** Has the host boot again, unless the API server knows of a reason against it that the caches do not show yet. */
    public void recover(ConfigObservation seen, LostHost lost) {
        if (!lost.patch().isEmpty() && isStillLost(seen)) {
            write(ConfigConditions.AGENT_REGISTERED, seen, lost.patch());
        }
    }

    /** Detaches the host from its infrastructure provider, or attaches it again. */
    public void detachment(ConfigObservation seen, Map<String, Object> patch) {
        if (!patch.isEmpty()) {
            write(ConfigConditions.INSTALLED, seen, patch);
        }
    }

    /** Powers the host off, for good. */
    public void powerOff(ConfigObservation seen, Map<String, Object> patch) {
        if (!patch.isEmpty()) {
            write(ConfigConditions.HOST_POWERED_OFF, seen, patch);
        }
    }

    private void write(String conditionType, ConfigObservation seen, Map<String, Object> patch) {
        Host host = seen.infrastructure().host();
        if (host != null && seen.owner() instanceof Owner.Of owner) {
            HasMetadata object = host.object();
            WriteFailure.explain(
                    conditionType,
                    ConfigConditions.HOST_UPDATE_FAILED,
                    object.getKind() + " " + object.getMetadata().getName(),
                    () -> sources.infrastructure().patchIfUnchanged(applier, owner.machine(), object, patch));
        }
    }

    /** Asks for what would forbid it: a Node, an Agent, a pause, a deletion. */
    private boolean isStillLost(ConfigObservation seen) {
        if (!(seen.owner() instanceof Owner.Of owner) || seen.cluster() == null || seen.infraEnv() == null) {
            return false;
        }
        String namespace = seen.namespace();
        OpenshiftAssistedConfig config = ByName.select(
                        client.resources(OpenshiftAssistedConfig.class).inNamespace(namespace),
                        seen.config().getMetadata().getName())
                .get();
        Machine machine = ByName.select(
                        client.resources(Machine.class).inNamespace(namespace),
                        owner.machine().getMetadata().getName())
                .get();
        return config != null
                && isAsItWas(seen.config(), config)
                && !isPaused(config)
                && machine != null
                && isAsItWas(owner.machine(), machine)
                && Fields.any(machine, "status", "nodeRef") == null
                && isWorkedOn(seen.cluster())
                && !isAgentInTheWay(seen);
    }

    private boolean isWorkedOn(Cluster known) {
        return client
                .resources(Cluster.class)
                .inNamespace(known.getMetadata().getNamespace())
                .withField(
                        "metadata.name", ObjectName.require(known.getMetadata().getName()))
                .list()
                .getItems()
                .stream()
                .anyMatch(cluster ->
                        isAsItWas(known, cluster) && !ClusterView.of(cluster).isPaused());
    }

    /** Where some are known, the reboot was asked for although a host had registered: none of them may have begun. */
    private boolean isAgentInTheWay(ConfigObservation seen) {
        var agents = client.resources(Agent.class)
                .inNamespace(seen.namespace())
                .withLabel(Labels.INFRA_ENV, infraEnv(seen))
                .list()
                .getItems();
        return seen.agents().isEmpty()
                ? !agents.isEmpty()
                : agents.stream().anyMatch(agent -> !AgentFields.isOpen(agent));
    }

    private static String infraEnv(ConfigObservation seen) {
        return seen.infraEnv() == null ? "" : seen.infraEnv().getMetadata().getName();
    }

    private static boolean isPaused(OpenshiftAssistedConfig config) {
        Map<String, String> annotations = config.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(Annotations.PAUSED);
    }

    private static boolean isAsItWas(HasMetadata known, HasMetadata now) {
        return Objects.equals(known.getMetadata().getUid(), now.getMetadata().getUid())
                && now.getMetadata().getDeletionTimestamp() == null;
    }
}
