package io.capoa.bootstrap.config;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.boot.BootMedia;
import io.capoa.bootstrap.boot.Download;
import io.capoa.bootstrap.boot.Infrastructure;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that one reconcile of a config rests on; what does not exist is {@code null}.
 *
 * @param infrastructure what provides the Machine's host
 * @param infraEnv the InfraEnv of the Machine's name, whoever made it
 * @param media what assisted-service has published for that InfraEnv
 * @param agents the hosts that booted with that InfraEnv's media
 * @param ignitionDigest fingerprint of what the discovery ignition is made from, {@code null} while it has no address
 * @param dataSecret the bootstrap data Secret without its data, if it is the config's own
 * @param asked what was asked for beyond the caches
 */
record ConfigObservation(
        OpenshiftAssistedConfig config,
        Owner owner,
        @Nullable Cluster cluster,
        @Nullable ClusterDeployment deployment,
        @Nullable AgentClusterInstall install,
        Infrastructure infrastructure,
        @Nullable InfraEnv infraEnv,
        BootMedia media,
        List<Agent> agents,
        @Nullable String ignitionDigest,
        @Nullable Secret dataSecret,
        Asked asked) {

    /** How a pull secret was found. */
    enum PullSecret {
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
    record Asked(PullSecret pullSecret, Download download, boolean imageReplaced) {
        static final Asked NOTHING = new Asked(PullSecret.UNCHECKED, new Download.None(), false);
    }

    ConfigObservation with(Asked answers) {
        return new ConfigObservation(
                config,
                owner,
                cluster,
                deployment,
                install,
                infrastructure,
                infraEnv,
                media,
                agents,
                ignitionDigest,
                dataSecret,
                answers);
    }

    /** Whether the config said so once: that is never taken back (bootstrap contract, "initialization completed"). */
    boolean latched() {
        return latched(config);
    }

    static boolean latched(OpenshiftAssistedConfig config) {
        OpenshiftAssistedConfigStatus status = config.getStatus();
        return status != null
                && status.initialization() != null
                && Boolean.TRUE.equals(status.initialization().dataSecretCreated());
    }

    /**
     * Whether a host is there that boots, or has booted, with what was made for it: from then on that stays. Where Metal3
     * has taken none, one that reports all the same has media that were left in it.
     */
    boolean hostTaken() {
        boolean byMetal3 = infrastructure instanceof Infrastructure.Metal3;
        return infrastructure.isTaken()
                || candidates().stream().anyMatch(agent -> !byMetal3 || AgentFields.isApproved(agent));
    }

    /** The Agents without those that are bound to another cluster: they are neither read nor written. */
    List<Agent> candidates() {
        return agents.stream().filter(agent -> !isForeign(agent)).toList();
    }

    /** Whether an Agent is bound to another ClusterDeployment than the InfraEnv that it registered with. */
    boolean isForeign(Agent agent) {
        String name = infraEnv == null ? null : Fields.string(infraEnv, "spec", "clusterRef", "name");
        String in = infraEnv == null ? null : Fields.string(infraEnv, "spec", "clusterRef", "namespace");
        if (name == null && deployment != null) {
            name = deployment.getMetadata().getName();
            in = deployment.getMetadata().getNamespace();
        }
        return name != null && AgentFields.isBoundElsewhere(agent, in == null ? namespace() : in, name);
    }

    /** Whether the bootstrap data is made for good, or as long as its address stays the same. */
    boolean dataMade() {
        return dataSecret != null || (latched() && (hostTaken() || infrastructure instanceof Infrastructure.Missing));
    }

    /** Whether the data was made from another address, token, discovery override or network settings than those of now. */
    boolean dataOutdated() {
        if (dataSecret == null || hostTaken() || infrastructure instanceof Infrastructure.Missing) {
            return false;
        }
        String made = BootstrapData.mediaDigest(dataSecret);
        String now = made == null ? null : ignitionDigest;
        return now != null && !now.equals(made);
    }

    /** Whether the Machine's host joins a cluster that is installed, rather than being one of its first. */
    boolean joins() {
        return install != null && ConditionView.isTrue(install, "Completed");
    }

    /** The node that the Machine's host has become, if Cluster API has seen it. */
    @Nullable
    String nodeName() {
        return owner instanceof Owner.Of of ? Fields.string(of.machine(), "status", "nodeRef", "name") : null;
    }

    /** Whether the InfraEnv was made for this config. */
    boolean ownsInfraEnv() {
        return infraEnv != null && DesiredInfraEnv.belongsTo(infraEnv, config);
    }

    /** Whether the Cluster or the config asks to be left alone. */
    boolean paused() {
        Map<String, String> annotations = config.getMetadata().getAnnotations();
        return (annotations != null && annotations.containsKey(Annotations.PAUSED))
                || (cluster != null && Fields.isTrue(cluster, "spec", "paused"));
    }

    @Nullable
    String annotation(String name) {
        Map<String, String> annotations = config.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }

    String namespace() {
        return config.getMetadata().getNamespace();
    }
}
