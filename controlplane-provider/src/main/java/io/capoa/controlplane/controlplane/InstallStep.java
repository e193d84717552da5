package io.capoa.controlplane.controlplane;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.Deployment;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.install.Installation;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;

/** Writes what assisted-service installs from: what can be known at once, and the rest when the release is. */
final class InstallStep {

    /** How the writing went. */
    sealed interface Outcome {

        /**
         * Everything that can be written is.
         *
         * @param heldBack fields of the AgentClusterInstall that can no longer be changed and are not what is wanted
         */
        record Applied(List<String> heldBack) implements Outcome {}

        /** Nothing was written, for what was there before has to go first. */
        record Waiting(String reason, String message) implements Outcome {

            /** The user has asked to begin a failed installation anew. */
            static final Waiting RETRY = new Waiting(
                    ControlPlaneConditions.RETRYING_INSTALL,
                    "what the failed installation was made from is being deleted; it is made anew when it is gone");
        }

        /** The API server refused an object. */
        record Refused(String reason, String message) implements Outcome {}
    }

    private final ControlPlaneSources sources;
    private final KubernetesClient client;
    private final Applier applier;

    InstallStep(ControlPlaneSources sources, KubernetesClient client, Applier applier) {
        this.sources = sources;
        this.client = client;
        this.applier = applier;
    }

    Outcome apply(ControlPlaneObservation observation, Preflight.Clear clear, ReleaseState release) {
        Optional<HasMetadata> going = observation.goingInstallObject();
        if (going.isPresent()) {
            return new Outcome.Waiting(
                    ControlPlaneConditions.RETRYING_INSTALL,
                    "%s %s is being deleted; it is made anew when it is gone"
                            .formatted(
                                    going.get().getKind(),
                                    going.get().getMetadata().getName()));
        }
        if (observation.installed() && observation.install() == null) {
            return new Outcome.Applied(List.of());
        }
        try {
            deployment(observation);
            return release instanceof ReleaseState.Resolved resolved
                    ? installation(observation, clear, resolved)
                    : new Outcome.Applied(List.of());
        } catch (KubernetesClientException e) {
            return new Outcome.Refused(
                    ControlPlaneConditions.INSTALL_OBJECTS_FAILED,
                    "the API server refused an object of the installation: " + Refusal.words(e));
        }
    }

    private void deployment(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        if (observation.deployment() == null && InstallPullSecret.chosen(identity) == null) {
            placeholder(identity);
        }
        applier.apply(
                sources.deployments,
                Deployment.desired(identity, observation.deployment(), InstallPullSecret.name(identity)),
                observation.deployment());
    }

    /** The bootstrap provider makes the same Secret: whoever comes second finds it. */
    private void placeholder(ControlPlaneIdentity identity) {
        var existing = client.secrets()
                .inNamespace(identity.namespace())
                .withName(InstallPullSecret.PLACEHOLDER)
                .get();
        if (existing == null) {
            applier.create(InstallPullSecret.placeholder(identity.namespace()));
        }
    }

    private Outcome installation(
            ControlPlaneObservation observation, Preflight.Clear clear, ReleaseState.Resolved resolved) {
        ControlPlaneIdentity identity = observation.identity();
        boolean ours = ImageSet.nameInUse(identity, observation.install()).equals(ImageSet.name(identity));
        if (ours) {
            applier.apply(sources.imageSets, ImageSet.desired(identity, resolved.release()), observation.imageSet());
        }
        Installation.Desired desired = Installation.desired(
                identity,
                clear.cluster(),
                observation.install(),
                observation.deployments(),
                clear.installConfigOverrides());
        RetryStep.mark(identity, observation.install(), desired.install());
        applier.apply(sources.installs, desired.install(), observation.install());
        return new Outcome.Applied(desired.heldBack());
    }
}
