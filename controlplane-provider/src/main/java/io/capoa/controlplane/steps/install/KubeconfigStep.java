package io.capoa.controlplane.steps.install;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Copies assisted-service's admin kubeconfig to the Secret {@code <cluster>-kubeconfig}. */
public final class KubeconfigStep {

    /** Whether Cluster API can reach the installed cluster. */
    public sealed interface Outcome {

        /**
         * The Secret is up to date.
         *
         * @param unwatched its source, if that lacks the label that the informer selects
         * @param changed whether it has just been written: nothing has been asked with it
         */
        record Available(@Nullable Target unwatched, boolean changed) implements Outcome {}

        /** The user created the Secret; it is used as it is. */
        record UserProvided(String secret) implements Outcome {}

        /** assisted-service has not published a kubeconfig yet. */
        record NotYet() implements Outcome {}

        /** assisted-service references a Secret that does not exist or has no kubeconfig. */
        record SourceMissing(Target source, String message) implements Outcome {}

        /** The AgentClusterInstall does not reference a valid Secret name. */
        record SourceUnusable(String message) implements Outcome {}
    }

    private final ControlPlaneSources sources;
    private final ReleaseResolution.Secrets secrets;
    private final Applier applier;

    public KubeconfigStep(ControlPlaneSources sources, ReleaseResolution.Secrets secrets, Applier applier) {
        this.sources = sources;
        this.secrets = secrets;
        this.applier = applier;
    }

    public Outcome apply(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        Secret existing = observation.kubeconfig();
        if (KubeconfigSecret.isForeign(identity, existing)) {
            return new Outcome.UserProvided(KubeconfigSecret.name(identity.clusterName()));
        }
        String sourceName = KubeconfigSecret.sourceName(observation.install());
        if (sourceName == null) {
            // Without a completed installation, an existing Secret is left over from an earlier one that failed.
            if (existing == null || !observation.installed()) {
                return new Outcome.NotYet();
            }
            adopt(identity, existing);
            return new Outcome.Available(null, false);
        }
        Optional<String> problem = ObjectName.problem("spec.clusterMetadata.adminKubeconfigSecretRef.name", sourceName);
        if (problem.isPresent()) {
            return new Outcome.SourceUnusable("AgentClusterInstall %s: %s".formatted(identity.name(), problem.get()));
        }
        Target target = Target.secret(identity.namespace(), sourceName);
        Optional<Secret> cached = sources.kubeconfigSources().get(identity.namespace(), sourceName);
        Optional<String> content = cached.or(() -> Optional.ofNullable(secrets.apply(identity.namespace(), sourceName)))
                .map(KubeconfigSecret::content)
                .filter(found -> !KubeconfigSecret.isTooLong(found));
        if (content.isEmpty() && existing != null) {
            return new Outcome.Available(target, false);
        }
        if (content.isEmpty()) {
            return new Outcome.SourceMissing(
                    target,
                    "Secret %s, which AgentClusterInstall %s names, does not exist, has no key %s, or one that is longer than 192 KiB"
                            .formatted(sourceName, identity.name(), KubeconfigSecret.SOURCE_KEY));
        }
        Secret now =
                applier.apply(sources.clusterSecrets(), KubeconfigSecret.desired(identity, content.get()), existing);
        boolean changed = existing == null || !Objects.equals(existing.getData(), now.getData());
        return new Outcome.Available(cached.isPresent() ? null : target, changed);
    }

    /** Sets the owner of a Secret that has lost it; its content stays. */
    private void adopt(ControlPlaneIdentity identity, Secret existing) {
        String content = existing.getData() == null ? null : existing.getData().get(KubeconfigSecret.KEY);
        if (content != null && !content.isEmpty() && !identity.controls(existing)) {
            applier.apply(sources.clusterSecrets(), KubeconfigSecret.desired(identity, content), existing);
        }
    }
}
