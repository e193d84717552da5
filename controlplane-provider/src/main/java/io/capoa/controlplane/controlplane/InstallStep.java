package io.capoa.controlplane.controlplane;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterDeploymentView;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.ClusterImageSetView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.Deployment;
import io.capoa.controlplane.install.InstallConfig;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.install.InstallRequest;
import io.capoa.controlplane.install.Installation;
import io.capoa.controlplane.install.Platform;
import io.capoa.controlplane.mirror.MirrorConfigMap;
import io.capoa.controlplane.mirror.MirrorRegistry;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

        /** Something that the user hands in is not fit; nothing is installed until it is. */
        record Withheld(String reason, String message) implements Outcome {}
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
    private final ImageSetStep imageSet;

    InstallStep(ControlPlaneSources sources, KubernetesClient client, Applier applier, ImageSetStep imageSet) {
        this.sources = sources;
        this.client = client;
        this.applier = applier;
        this.imageSet = imageSet;
    }

    Outcome apply(
            ControlPlaneObservation observation, Cluster cluster, InputsStep.Inputs inputs, ReleaseState release) {
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
            InputsStep.Problem problem = inputs.problem();
            // Its workers go first, and without them the rest might have all that it takes to be installed.
            boolean deleting = cluster.getMetadata().getDeletionTimestamp() != null;
            boolean ready = problem == null && release instanceof ReleaseState.Resolved && !deleting;
            if (ready || observation.install() != null) {
                List<String> heldBack = installation(observation, cluster, inputs, release, !ready);
                return problem == null || observation.installed() ? new Outcome.Applied(heldBack) : withheld(problem);
            }
            return problem == null ? new Outcome.Applied(List.of()) : withheld(problem);
        } catch (KubernetesClientException e) {
            return new Outcome.Refused(
                    ControlPlaneConditions.INSTALL_OBJECTS_FAILED,
                    "an object of the installation could not be written: "
                            + ReconcileFailure.of(e).message());
        }
    }

    private void deployment(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        if (observation.deployment() == null && InstallPullSecret.chosen(identity) == null) {
            placeholder(identity);
        }
        applier.apply(
                sources.deployments,
                Deployment.desired(
                        identity, observation.deployment(), InstallPullSecret.name(identity), metadata(observation)),
                observation.deployment());
    }

    /** Of an installed cluster that assisted-service has to be told of: it has not installed it, or has forgotten. */
    private static @Nullable Map<String, Object> metadata(ControlPlaneObservation observation) {
        ClusterDeployment deployment = observation.deployment();
        if (PastInstallation.isDeclared(deployment)) {
            return ClusterDeploymentView.of(deployment).clusterMetadata();
        }
        AgentClusterInstall install = observation.install();
        return install != null
                        && observation.installed()
                        && !observation.installState().started()
                ? AgentClusterInstallView.of(install).clusterMetadata()
                : null;
    }

    /** The bootstrap provider makes the same Secret: whoever comes second finds it. */
    private void placeholder(ControlPlaneIdentity identity) {
        var existing = ByName.select(client.secrets().inNamespace(identity.namespace()), InstallPullSecret.PLACEHOLDER)
                .get();
        if (existing == null) {
            applier.create(InstallPullSecret.placeholder(identity.namespace()));
        }
    }

    /**
     * Writes the AgentClusterInstall and what it refers to.
     *
     * @param hold something is missing: an installation that could have started by itself has to wait
     */
    private List<String> installation(
            ControlPlaneObservation observation,
            Cluster cluster,
            InputsStep.Inputs inputs,
            ReleaseState release,
            boolean hold) {
        ControlPlaneIdentity identity = observation.identity();
        AgentClusterInstall existing = observation.install();
        MirrorRegistry mirrors = inputs.mirrors();
        InstallRequest request = new InstallRequest(
                identity,
                cluster,
                observation.workers().count(),
                overrides(identity, mirrors),
                observation.imageSetName(),
                observation.installed());
        switch (Installation.desired(request, existing)) {
            case Installation.Started started -> {
                if (existing != null) {
                    applier.patch(sources.installs, existing, Map.of("metadata", started.metadata()));
                }
                adopt(observation, release);
                return started.heldBack();
            }
            case Installation.Open open -> {
                if (hold) {
                    hold(existing);
                    return List.of();
                }
                if (release instanceof ReleaseState.Resolved resolved) {
                    imageSet.apply(observation, resolved.release());
                }
                if (mirrors != null) {
                    mirrors(identity, mirrors);
                }
                RetryStep.mark(identity, existing, open.install());
                applier.apply(sources.installs, open.install(), existing);
                return List.of();
            }
        }
    }

    /** Only that: what else is wanted is not known, or not fit. */
    private void hold(@Nullable AgentClusterInstall existing) {
        if (existing != null) {
            applier.patch(sources.installs, existing, Map.of("spec", Map.of("holdInstallation", true)));
        }
    }

    /** A running installation's ClusterImageSet is marked as ours, so that it is found and goes with the control plane. */
    private void adopt(ControlPlaneObservation observation, ReleaseState release) {
        ClusterImageSet existing = observation.imageSet();
        if (existing != null
                && release instanceof ReleaseState.Resolved resolved
                && resolved.release()
                        .image()
                        .equals(ClusterImageSetView.of(existing).releaseImage())) {
            imageSet.apply(observation, resolved.release());
        }
    }

    private void mirrors(ControlPlaneIdentity identity, MirrorRegistry mirrors) {
        ConfigMap desired = MirrorConfigMap.desired(identity, mirrors);
        ConfigMap existing = ByName.select(
                        client.configMaps().inNamespace(identity.namespace()),
                        desired.getMetadata().getName())
                .get();
        applier.apply(desired, existing);
    }

    private static @Nullable String overrides(ControlPlaneIdentity identity, @Nullable MirrorRegistry mirrors) {
        Platform platform = Platform.of(identity.controlPlane().getSpec().config());
        return switch (InstallConfig.of(identity, platform, mirrors == null ? "" : mirrors.caBundle())) {
            case InstallConfig.Overrides overrides -> overrides.json();
            case InstallConfig.Invalid ignored -> null;
        };
    }

    private static Outcome withheld(InputsStep.Problem problem) {
        return new Outcome.Withheld(problem.reason(), problem.message());
    }
}
