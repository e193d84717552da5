package io.capoa.controlplane.upgrade;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.UPGRADE_IMAGE_UNAVAILABLE;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.UPGRADE_VERSION_MISMATCH;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.UPGRADE_WAITING_FOR_VERSION;

import io.capoa.api.Labels;
import io.capoa.controlplane.release.DistributionVersion;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.runtime.status.Blocker;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes version that is asked for beside a release. Cluster API's topology controller writes the release at
 * once and {@code spec.version} only after its lifecycle hooks, so an upgrade that waits for both to agree waits for the
 * hooks.
 *
 * @param version {@code spec.version}; {@code null} if it is not set
 * @param topology the version of the Cluster's topology, empty while the Cluster shows none; {@code null} unless a topology
 *     owns the control plane
 * @param running versions that the control plane's nodes report, as they report them
 */
public record RequestedKubernetes(
        @Nullable String version, @Nullable String topology, Set<String> running) {

    /** Asks for no version. */
    public static final RequestedKubernetes NONE = new RequestedKubernetes(null, null, Set.of());

    public RequestedKubernetes {
        running = Set.copyOf(running);
    }

    /**
     * Whether the release must confirm the version. Without a topology, a version that is not newer than the nodes is
     * left over from the installation or an earlier upgrade, and says nothing about the release.
     */
    public boolean needsConfirmation() {
        return version != null && !version.isEmpty() && (topology != null || isNewer(version));
    }

    /** Why the upgrade to a release must not start; empty if it may. */
    Optional<Blocker> blocker(String target, TargetImage image) {
        if (version == null || !needsConfirmation()) {
            return Optional.empty();
        }
        return switch (image) {
            case TargetImage.Resolving ignored ->
                blocked(
                        UPGRADE_WAITING_FOR_VERSION,
                        "asking the registry for the Kubernetes version of release " + target);
            case TargetImage.Unavailable unavailable ->
                blocked(
                        UPGRADE_IMAGE_UNAVAILABLE,
                        "release %s cannot confirm spec.version %s: %s"
                                .formatted(
                                        target, version, unavailable.blocker().message()));
            case TargetImage.Resolved known ->
                KubernetesVersion.plain(version).equals(KubernetesVersion.plain(known.kubernetesVersion()))
                        ? Optional.empty()
                        : mismatch(target, version, "v" + KubernetesVersion.plain(known.kubernetesVersion()));
        };
    }

    private Optional<Blocker> mismatch(String target, String version, String held) {
        if (topology == null) {
            return blocked(
                    UPGRADE_VERSION_MISMATCH,
                    "spec.version is %s, but release %s has Kubernetes %s: set spec.version to %s or remove it"
                            .formatted(version, target, held, held));
        }
        if (topology.isEmpty()) {
            return blocked(
                    UPGRADE_WAITING_FOR_VERSION,
                    "the Cluster has no spec.topology.version by which Cluster API would raise spec.version from %s to %s, the Kubernetes version of release %s: if no topology owns the control plane, remove its label %s"
                            .formatted(version, held, target, Labels.TOPOLOGY_OWNED));
        }
        if (!runs(version)) {
            return blocked(
                    UPGRADE_VERSION_MISMATCH,
                    "Cluster API asks for Kubernetes %s as the next step, but release %s has %s: let the Cluster's variables name the release of %s"
                            .formatted(version, target, held, version));
        }
        return KubernetesVersion.plain(topology).equals(KubernetesVersion.plain(held))
                ? blocked(
                        UPGRADE_WAITING_FOR_VERSION,
                        "Cluster API has not raised spec.version from %s to %s, the Kubernetes version of release %s: condition TopologyReconciled of the Cluster says what it waits for"
                                .formatted(version, held, target))
                : blocked(
                        UPGRADE_VERSION_MISMATCH,
                        "spec.topology.version of the Cluster is %s, but release %s has Kubernetes %s: set spec.topology.version to %s or choose the release of %s"
                                .formatted(topology, target, held, held, topology));
    }

    /**
     * What {@code spec.version} asks for although the cluster runs the release. Cluster API compares a topology's version
     * with those of the nodes to the letter.
     */
    Optional<Blocker> atRest(String target) {
        // Nodes with several versions are on their way.
        if (version == null || !needsConfirmation() || running.size() != 1 || running.contains(version)) {
            return Optional.empty();
        }
        String nodes = running.iterator().next();
        if (topology == null) {
            return blocked(
                    UPGRADE_VERSION_MISMATCH,
                    "spec.version is %s, but the nodes of release %s run %s: change spec.distributionVersion too, or remove spec.version"
                            .formatted(version, target, nodes));
        }
        return blocked(
                UPGRADE_VERSION_MISMATCH,
                "spec.version is %s, but the nodes of release %s run %s: let the Cluster's variables name the release of %s, or set spec.topology.version to %s"
                        .formatted(version, target, nodes, version, nodes));
    }

    private boolean runs(String wanted) {
        return running.stream().anyMatch(one -> KubernetesVersion.plain(one).equals(KubernetesVersion.plain(wanted)));
    }

    private boolean isNewer(String wanted) {
        Optional<DistributionVersion> asked = DistributionVersion.parse(wanted);
        return asked.isPresent()
                && !running.isEmpty()
                && running.stream()
                        .map(DistributionVersion::parse)
                        .allMatch(one -> one.isPresent() && one.get().compareTo(asked.get()) < 0);
    }

    private static Optional<Blocker> blocked(String reason, String message) {
        return Optional.of(new Blocker(reason, message));
    }
}
