package io.capoa.controlplane.steps.install;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterDeploymentView;
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
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.observe.PastInstallation;
import io.capoa.controlplane.observe.RetryRequest;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies ClusterDeployment, ClusterImageSet and AgentClusterInstall; the latter two once the release is resolved. */
public final class InstallStep {

    /** How far the objects of the installation are. */
    public sealed interface Progress {

        /**
         * All objects that can be written are up to date.
         *
         * @param heldBack fields of the AgentClusterInstall that differ from the spec and can no longer change
         */
        record Applied(List<String> heldBack) implements Progress {}

        /** A ConfigMap that the spec refers to is missing or invalid; the installation waits for it. */
        record Withheld(Blocker blocker) implements Progress {}

        /** Nothing was written: the old objects have to be deleted first. */
        record Deleting(Blocker blocker) implements Progress {

            /** The user has requested a retry of a failed installation. */
            public static final Deleting RETRY = new Deleting(new Blocker(
                    ControlPlaneConditions.RETRYING_INSTALL,
                    "the objects of the failed installation are being deleted; they are recreated after deletion"));
        }

        /** The API server refused an object. */
        record Refused(Blocker blocker) implements Progress {}
    }

    private final ControlPlaneSources sources;
    private final KubernetesClient client;
    private final Applier applier;
    private final ImageSetStep imageSet;

    public InstallStep(ControlPlaneSources sources, KubernetesClient client, Applier applier, ImageSetStep imageSet) {
        this.sources = sources;
        this.client = client;
        this.applier = applier;
        this.imageSet = imageSet;
    }

    public Progress apply(
            ControlPlaneObservation observation, Cluster cluster, InputsStep.Inputs inputs, ReleaseState release) {
        Optional<HasMetadata> deleting = observation.deletingInstallObject();
        if (deleting.isPresent()) {
            return new Progress.Deleting(new Blocker(
                    ControlPlaneConditions.RETRYING_INSTALL,
                    "%s %s is being deleted; it is recreated after deletion"
                            .formatted(
                                    deleting.get().getKind(),
                                    deleting.get().getMetadata().getName())));
        }
        if (observation.installed() && observation.install() == null) {
            return new Progress.Applied(List.of());
        }
        try {
            deployment(observation);
            InputsStep.Problem problem = inputs.problem();
            // Cluster API deletes the workers first; the remaining hosts could then suffice to start an installation.
            boolean clusterStays = !cluster.isMarkedForDeletion();
            Optional<String> otherImage =
                    release instanceof ReleaseState.Resolved resolved && !observation.installStarted()
                            ? ImageSetStep.obstacle(observation, resolved.release())
                            : Optional.empty();
            boolean ready =
                    problem == null && release instanceof ReleaseState.Resolved && clusterStays && otherImage.isEmpty();
            if (ready || observation.install() != null) {
                List<String> heldBack = installation(observation, cluster, inputs, release, !ready);
                if (otherImage.isPresent()) {
                    return new Progress.Refused(
                            new Blocker(ControlPlaneConditions.INSTALL_OBJECTS_FAILED, otherImage.get()));
                }
                return problem == null || observation.installed() ? new Progress.Applied(heldBack) : withheld(problem);
            }
            return problem == null ? new Progress.Applied(List.of()) : withheld(problem);
        } catch (KubernetesClientException e) {
            return new Progress.Refused(new Blocker(
                    ControlPlaneConditions.INSTALL_OBJECTS_FAILED,
                    "an object of the installation could not be written: "
                            + ReconcileFailure.of(e).message()));
        }
    }

    private void deployment(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        if (observation.deployment() == null && InstallPullSecret.chosen(identity) == null) {
            placeholder(identity);
        }
        applier.apply(
                sources.deployments(),
                Deployment.desired(
                        identity, observation.deployment(), InstallPullSecret.name(identity), metadata(observation)),
                observation.deployment());
    }

    /** Marks an installed cluster as such if assisted-service did not install it, or lost its state. */
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

    /** The bootstrap provider creates the same Secret; the first of the two wins. */
    private void placeholder(ControlPlaneIdentity identity) {
        var existing = ByName.select(client.secrets().inNamespace(identity.namespace()), InstallPullSecret.PLACEHOLDER)
                .get();
        if (existing == null) {
            applier.create(InstallPullSecret.placeholder(identity.namespace()));
        }
    }

    /**
     * Applies the AgentClusterInstall and the objects that it refers to.
     *
     * @param hold something is missing: keep assisted-service from starting the installation
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
                    applier.patch(sources.installs(), existing, Map.of("metadata", started.metadata()));
                }
                imageSet.claim(observation);
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
                RetryRequest.mark(identity, existing, open.install());
                applier.apply(sources.installs(), open.install(), existing);
                return List.of();
            }
        }
    }

    /** Patches nothing else: the other fields are not known yet, or not valid. */
    private void hold(@Nullable AgentClusterInstall existing) {
        if (existing != null) {
            applier.patch(sources.installs(), existing, Map.of("spec", Map.of("holdInstallation", true)));
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

    private static Progress withheld(InputsStep.Problem problem) {
        return new Progress.Withheld(problem.blocker());
    }
}
