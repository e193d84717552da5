package io.capoa.bootstrap.config;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.bootstrap.boot.Download;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that one reconcile of a config rests on; what does not exist is {@code null}.
 *
 * @param infraEnv the InfraEnv of the Machine's name, whoever made it
 * @param bootMediaKnown whether the InfraEnv says where the discovery ignition is
 * @param agents the hosts that booted with that InfraEnv's media
 * @param dataSecretExists whether the bootstrap data Secret is there and the config's own
 * @param pullSecret how the Secret is that the InfraEnv is to refer to
 * @param download how far the discovery ignition is
 */
record ConfigObservation(
        OpenshiftAssistedConfig config,
        Owner owner,
        @Nullable Cluster cluster,
        @Nullable ClusterDeployment deployment,
        @Nullable AgentClusterInstall install,
        @Nullable InfraEnv infraEnv,
        boolean bootMediaKnown,
        List<Agent> agents,
        boolean dataSecretExists,
        PullSecret pullSecret,
        Download download) {

    /** How a pull secret was found. */
    enum PullSecret {
        /** Not looked at, for nothing depends on it any more. */
        UNCHECKED,
        PRESENT,
        MISSING,
        /** It has no key {@code .dockerconfigjson} with JSON in it. */
        INVALID
    }

    ConfigObservation with(PullSecret found) {
        return new ConfigObservation(
                config,
                owner,
                cluster,
                deployment,
                install,
                infraEnv,
                bootMediaKnown,
                agents,
                dataSecretExists,
                found,
                download);
    }

    ConfigObservation with(Download progress) {
        return new ConfigObservation(
                config,
                owner,
                cluster,
                deployment,
                install,
                infraEnv,
                bootMediaKnown,
                agents,
                dataSecretExists,
                pullSecret,
                progress);
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
