package io.capoa.controlplane.reconcile;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ClusterInputs;
import io.capoa.controlplane.install.InstallConfig;
import io.capoa.controlplane.install.Platform;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.PastInstallation;
import io.capoa.controlplane.release.DistributionVersion;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether the prerequisites of an installation are met. */
sealed interface Prerequisites {

    /** All prerequisites are met. */
    record Clear(Cluster cluster) implements Prerequisites {}

    /** A prerequisite is missing; all that can provide it is watched. */
    record Unmet(Blocker blocker) implements Prerequisites {}

    /** This provider cannot install the requested release. */
    record Unsupported(Blocker blocker) implements Prerequisites {}

    static Prerequisites of(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        Optional<String> unsupported = DistributionVersion.unsupported(
                observation.controlPlane().getSpec().distributionVersion());
        if (unsupported.isPresent()) {
            return new Unsupported(new Blocker(ControlPlaneConditions.MACHINE_GENERATION_FAILED, unsupported.get()));
        }
        Cluster cluster = observation.cluster();
        if (cluster == null) {
            return new Unmet(new Blocker(
                    ControlPlaneConditions.WAITING_FOR_CLUSTER,
                    "no Cluster owns the control plane: name it in spec.controlPlaneRef of a Cluster in namespace "
                            + identity.namespace()));
        }
        String name = cluster.getMetadata().getName();
        ClusterView view = ClusterView.of(cluster);
        if (view.controlPlaneEndpoint().isEmpty()) {
            return new Unmet(new Blocker(
                    ControlPlaneConditions.WAITING_FOR_CONTROL_PLANE_ENDPOINT,
                    "Cluster %s has no spec.controlPlaneEndpoint yet; its infrastructure cluster provides it"
                            .formatted(name)));
        }
        if (!view.isInfrastructureProvisioned()) {
            return new Unmet(new Blocker(
                    ControlPlaneConditions.WAITING_FOR_CLUSTER_INFRASTRUCTURE,
                    "the infrastructure of Cluster %s is not provisioned yet".formatted(name)));
        }
        return settings(observation, cluster);
    }

    private static Prerequisites settings(ControlPlaneObservation observation, Cluster cluster) {
        ControlPlaneIdentity identity = observation.identity();
        HasMetadata foreign = Stream.of(
                        Optional.ofNullable(observation.deployment()), Optional.ofNullable(observation.install()))
                .flatMap(Optional::stream)
                .filter(object -> !identity.isOurs(object))
                .findFirst()
                .orElse(null);
        if (foreign != null) {
            return new Unmet(new Blocker(
                    ControlPlaneConditions.INSTALL_OBJECTS_CONFLICT,
                    "%s %s belongs to another owner: delete it, or give the control plane another name"
                            .formatted(foreign.getKind(), foreign.getMetadata().getName())));
        }
        if (PastInstallation.isKubeconfigAlone(observation)) {
            return new Unmet(new Blocker(
                    ControlPlaneConditions.INSTALL_OBJECTS_CONFLICT,
                    "Secret %s holds the kubeconfig of a cluster, and there are no Machines of it: restore them, or delete the Secret to install a new cluster"
                            .formatted(KubeconfigSecret.name(identity.clusterName()))));
        }
        ClusterConfig config = observation.controlPlane().getSpec().config();
        if (config == null) {
            return new Unmet(new Blocker(
                    ControlPlaneConditions.INVALID_CONFIGURATION,
                    "spec.config is missing: spec.config.baseDomain is needed to install a cluster"));
        }
        Optional<String> unusable = observation.installStarted()
                ? Optional.empty()
                : ClusterInputs.problem(identity, config, cluster, observation.deployment());
        if (unusable.isPresent()) {
            return new Unmet(new Blocker(ControlPlaneConditions.INVALID_CONFIGURATION, unusable.get()));
        }
        return switch (InstallConfig.of(identity, Platform.of(config), "")) {
            case InstallConfig.Overrides ignored -> new Clear(cluster);
            case InstallConfig.Invalid invalid ->
                new Unmet(new Blocker(ControlPlaneConditions.INVALID_CONFIGURATION, invalid.message()));
        };
    }
}
