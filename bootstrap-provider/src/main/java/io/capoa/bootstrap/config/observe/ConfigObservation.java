package io.capoa.bootstrap.config.observe;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.InfraEnvView;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.boot.BootMedia;
import io.capoa.bootstrap.boot.ServiceAuthorities.Certificates;
import io.capoa.bootstrap.ignition.DiscoveryMark;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.runtime.lookup.LookupResult;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one reconcile of a config is based on; what does not exist is {@code null}.
 *
 * @param objects the cluster that the config belongs to
 * @param infrastructure what provides the Machine's host
 * @param discovery the InfraEnv of the Machine's name and the hosts that booted its media
 * @param dataSecret the bootstrap data Secret without its data, if the config owns it
 * @param asked answers from outside the caches
 */
public record ConfigObservation(
        OpenshiftAssistedConfig config,
        Owner owner,
        ClusterObjects objects,
        Infrastructure infrastructure,
        Discovery discovery,
        @Nullable Secret dataSecret,
        Asked asked) {

    /**
     * The objects of the config's cluster.
     *
     * @param release that the cluster runs, such as {@code 4.21.3}; {@code null} if it is not known
     * @param leaving Machines of the cluster that are being deleted and have a Node
     */
    public record ClusterObjects(
            @Nullable Cluster cluster,
            @Nullable ClusterDeployment deployment,
            @Nullable InstallFacts install,
            @Nullable String release,
            List<Machine> leaving) {}

    /**
     * The InfraEnv and its hosts.
     *
     * @param infraEnv the InfraEnv of the Machine's name, of whatever origin
     * @param media what assisted-service has published for that InfraEnv
     * @param agents the hosts that booted that InfraEnv's media
     * @param foreignNetwork number of NMStateConfigs of other namespaces that the config selects
     * @param mark that shows what the discovery ignition is to be made from; {@code null} where that does not change
     * @param ignitionDigest fingerprint of what the data is made from, {@code null} while it is not known
     * @param certificates by which the host trusts assisted-service, if it fetches its ignition there
     */
    public record Discovery(
            @Nullable InfraEnv infraEnv,
            BootMedia media,
            List<Agent> agents,
            int foreignNetwork,
            @Nullable DiscoveryMark mark,
            @Nullable String ignitionDigest,
            Certificates certificates) {}

    /** How a pull secret was found. */
    public enum PullSecret {
        /** Not looked at, for nothing depends on it any more. */
        UNCHECKED,
        PRESENT,
        MISSING,
        /** The config's field holds what is not the name of an object. */
        NOT_A_NAME,
        /** It has no key {@code .dockerconfigjson} with JSON in it. */
        INVALID
    }

    /**
     * Answers from outside the caches.
     *
     * @param pullSecret how the Secret is that the InfraEnv is to refer to
     * @param download how far the discovery ignition is
     * @param imageReplaced whether the live ISO that is published is about to be replaced
     */
    public record Asked(PullSecret pullSecret, LookupResult<ByteString> download, boolean imageReplaced) {
        static final Asked NOTHING = new Asked(PullSecret.UNCHECKED, new LookupResult.Pending<>(), false);
    }

    ConfigObservation with(Asked answers) {
        return new ConfigObservation(config, owner, objects, infrastructure, discovery, dataSecret, answers);
    }

    @Nullable
    public Cluster cluster() {
        return objects.cluster;
    }

    @Nullable
    public ClusterDeployment deployment() {
        return objects.deployment;
    }

    @Nullable
    public InstallFacts install() {
        return objects.install;
    }

    /** The release that the cluster runs, such as {@code 4.21.3}; {@code null} if it is not known. */
    @Nullable
    public String release() {
        return objects.release;
    }

    /** Machines of the cluster that are being deleted and have a Node, which Cluster API deletes at the end by its name. */
    public List<Machine> leaving() {
        return objects.leaving;
    }

    @Nullable
    public InfraEnv infraEnv() {
        return discovery.infraEnv;
    }

    public BootMedia media() {
        return discovery.media;
    }

    public List<Agent> agents() {
        return discovery.agents;
    }

    @Nullable
    public String ignitionDigest() {
        return discovery.ignitionDigest;
    }

    /** Whether the config said so once: that is never taken back (bootstrap contract, "initialization completed"). */
    public boolean latched() {
        return latched(config);
    }

    public static boolean latched(OpenshiftAssistedConfig config) {
        OpenshiftAssistedConfigStatus status = config.getStatus();
        return status != null
                && status.initialization() != null
                && Boolean.TRUE.equals(status.initialization().dataSecretCreated());
    }

    /** Whether the host has been reported as installed. */
    public static boolean isInstalled(OpenshiftAssistedConfig config) {
        return config.getStatus() != null
                && config.getStatus().conditions() != null
                && config.getStatus().conditions().stream()
                        .anyMatch(c -> c.type().equals(ConfigConditions.INSTALLED)
                                && c.status().equals(Condition.TRUE));
    }

    /** Whether a host is there that boots, or has booted, with what was made for it: from then on that stays. */
    public boolean hostTaken() {
        return infrastructure.isTaken(candidates());
    }

    /** The Agents without those that are bound to another cluster: they are neither read nor written. */
    public List<Agent> candidates() {
        return agents().stream().filter(agent -> !isForeign(agent)).toList();
    }

    /** Whether an Agent is bound to another ClusterDeployment than the InfraEnv that it registered with. */
    public boolean isForeign(Agent agent) {
        String name = InfraEnvView.of(infraEnv()).clusterName();
        String in = InfraEnvView.of(infraEnv()).clusterNamespace();
        if (name == null && deployment() != null) {
            name = deployment().getMetadata().getName();
            in = deployment().getMetadata().getNamespace();
        }
        return name != null && AgentFields.isBoundElsewhere(agent, in == null ? namespace() : in, name);
    }

    /** Whether the bootstrap data is made for good, or as long as its address stays the same. */
    public boolean dataMade() {
        return dataSecret != null
                || (latched() && (hostTaken() || infrastructure.missing().isPresent()));
    }

    /** Whether what the host boots may still change. */
    public boolean isOpen() {
        return !hostTaken() || !dataMade();
    }

    /** Whether the data was made from another address, token, discovery override or network settings than those of now. */
    public boolean dataOutdated() {
        if (dataSecret == null || hostTaken() || infrastructure.missing().isPresent()) {
            return false;
        }
        String made = BootstrapData.mediaDigest(dataSecret);
        String now = made == null ? null : ignitionDigest();
        return now != null && !now.equals(made);
    }

    /** Whether the Machine's host joins a cluster that is installed, rather than being one of its first. */
    public boolean joins() {
        return install() != null && install().completed();
    }

    /** The node that the Machine's host has become, if Cluster API has seen it. */
    @Nullable
    public String nodeName() {
        return owner instanceof Owner.Of of ? MachineView.of(of.machine()).nodeName() : null;
    }

    /** Whether the InfraEnv was made for this config. */
    public boolean ownsInfraEnv() {
        return infraEnv() != null && DesiredInfraEnv.belongsTo(infraEnv(), config);
    }

    /** Whether the Cluster or the config asks to be left alone. */
    public boolean paused() {
        Map<String, String> annotations = config.getMetadata().getAnnotations();
        return (annotations != null && annotations.containsKey(Annotations.PAUSED))
                || ClusterView.of(cluster()).isPaused();
    }

    @Nullable
    public String annotation(String name) {
        Map<String, String> annotations = config.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }

    public String namespace() {
        return config.getMetadata().getNamespace();
    }
}
