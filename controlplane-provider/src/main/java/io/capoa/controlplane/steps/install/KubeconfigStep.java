package io.capoa.controlplane.steps.install;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Copies assisted-service's admin kubeconfig to the Secret {@code <cluster>-kubeconfig}. assisted-service does not renew
 * it: what the user writes into the copy instead is kept, if it is a kubeconfig.
 */
public final class KubeconfigStep {

    /** Whether Cluster API can reach the installed cluster. */
    public sealed interface Access {

        /**
         * The Secret is up to date.
         *
         * @param unwatched its source, if that lacks the label that the informer selects
         * @param changed whether it has just been written: nothing has been asked with it
         */
        record Available(@Nullable Target unwatched, boolean changed) implements Access {}

        /**
         * The user created the Secret, or wrote another kubeconfig into it; it is used as it is.
         *
         * @param source the Secret from which it was copied before; {@code null} if the user created it
         * @param unwatched that Secret, if it lacks the label that the informer selects
         */
        record UserProvided(
                String secret,
                @Nullable String source,
                @Nullable Target unwatched) implements Access {

            static UserProvided created(String secret) {
                return new UserProvided(secret, null, null);
            }
        }

        /** assisted-service has not published a kubeconfig yet. */
        record NotYet() implements Access {}

        /** assisted-service references a Secret that does not exist or has no kubeconfig. */
        record SourceMissing(Target source, String message) implements Access {}

        /** The AgentClusterInstall does not reference a valid Secret name. */
        record SourceUnusable(String message) implements Access {}
    }

    private final ControlPlaneSources sources;
    private final ReleaseResolution.Secrets secrets;
    private final Applier applier;

    public KubeconfigStep(ControlPlaneSources sources, ReleaseResolution.Secrets secrets, Applier applier) {
        this.sources = sources;
        this.secrets = secrets;
        this.applier = applier;
    }

    public Access apply(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        Secret existing = observation.kubeconfig();
        if (KubeconfigSecret.isForeign(identity, existing)) {
            return Access.UserProvided.created(KubeconfigSecret.name(identity.clusterName()));
        }
        String sourceName = KubeconfigSecret.sourceName(observation.install());
        if (sourceName == null) {
            // Without a completed installation, an existing Secret is left over from an earlier one that failed.
            if (existing == null || !observation.installed()) {
                return new Access.NotYet();
            }
            adopt(identity, existing);
            return new Access.Available(null, false);
        }
        Optional<String> problem = ObjectName.problem("spec.clusterMetadata.adminKubeconfigSecretRef.name", sourceName);
        if (problem.isPresent()) {
            return new Access.SourceUnusable("AgentClusterInstall %s: %s".formatted(identity.name(), problem.get()));
        }
        Target target = Target.secret(identity.namespace(), sourceName);
        Optional<Secret> cached = sources.kubeconfigSources().get(identity.namespace(), sourceName);
        Optional<String> content = cached.or(() -> Optional.ofNullable(secrets.apply(identity.namespace(), sourceName)))
                .map(KubeconfigSecret::content);
        if (content.isEmpty() && existing != null) {
            return new Access.Available(target, false);
        }
        if (content.isEmpty()) {
            return new Access.SourceMissing(
                    target,
                    "Secret %s, which AgentClusterInstall %s names, does not exist, has no key %s, or one that is longer than 192 KiB"
                            .formatted(sourceName, identity.name(), KubeconfigSecret.SOURCE_KEY));
        }
        return publish(observation, content.get(), target, cached.isPresent());
    }

    private Access publish(ControlPlaneObservation observation, String content, Target source, boolean watched) {
        ControlPlaneIdentity identity = observation.identity();
        String name = KubeconfigSecret.name(identity.clusterName());
        Target unwatched = watched ? null : source;
        // Without the label of its Cluster a Secret is in no cache.
        Secret existing = Optional.ofNullable(observation.kubeconfig())
                .orElseGet(() -> secrets.apply(identity.namespace(), name));
        if (KubeconfigSecret.isForeign(identity, existing)) {
            return Access.UserProvided.created(name);
        }
        String own = existing == null ? null : KubeconfigSecret.copied(existing);
        if (own != null
                && KubeconfigSecret.isReplaced(identity, existing, content, observation.initialized())
                && InstalledCluster.isKubeconfig(own)) {
            applier.apply(sources.clusterSecrets(), KubeconfigSecret.kept(identity, own, content, existing), existing);
            return new Access.UserProvided(name, source.name(), unwatched);
        }
        Secret now = applier.apply(
                sources.clusterSecrets(), KubeconfigSecret.desired(identity, content, existing), existing);
        boolean changed = existing == null || !Objects.equals(existing.getData(), now.getData());
        return new Access.Available(unwatched, changed);
    }

    /** Sets the owner of a Secret that has lost it; its content stays. */
    private void adopt(ControlPlaneIdentity identity, Secret existing) {
        String content = KubeconfigSecret.copied(existing);
        if (content != null && !identity.controls(existing)) {
            applier.apply(sources.clusterSecrets(), KubeconfigSecret.kept(identity, content, null, existing), existing);
        }
    }
}
