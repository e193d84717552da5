package io.capoa.controlplane.install;

import io.capoa.api.Annotations;
import io.capoa.api.Digest;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.ClusterImageSetView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.ForeignObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Desired ClusterImageSet: the release image by digest, under a cluster-scoped name.
 *
 * <p>A cluster-scoped object cannot have a namespaced owner: annotations {@link #OWNER} and {@link #OWNER_UID} name the
 * control plane, which deletes the ClusterImageSet itself. Users of a namespace cannot write them. A ClusterImageSet without
 * them is read only, whatever refers to it.
 */
public final class ImageSet {

    /** {@code namespace/name} of the control plane that a ClusterImageSet belongs to. */
    public static final String OWNER = "controlplane.cluster.x-k8s.io/owner";

    /** UID of that control plane. */
    public static final String OWNER_UID = "controlplane.cluster.x-k8s.io/owner-uid";

    /** The image reference by tag that the digest was resolved from. */
    public static final String RESOLVED_FROM = "controlplane.cluster.x-k8s.io/resolved-from";

    /** Kubernetes version of the release, without a leading {@code v}. */
    public static final String KUBERNETES_VERSION = "controlplane.cluster.x-k8s.io/kubernetes-version";

    /** Version of the release, as its metadata says. */
    public static final String RELEASE_VERSION = "controlplane.cluster.x-k8s.io/release-version";

    /** Fingerprint of the cluster's own registry configuration (mirrors, certificates); absent if it has none. */
    public static final String REGISTRY_ACCESS = "controlplane.cluster.x-k8s.io/registry-access";

    private static final int MAX_PREFIX = 200;
    private static final int HASH_LENGTH = 8;

    private ImageSet() {}

    /** {@code <namespace>-<name>-<hash of both>}; the hash keeps {@code a-b/c} and {@code a/b-c} apart. */
    public static String name(ControlPlaneIdentity identity) {
        String prefix = identity.namespace() + "-" + identity.name();
        String start = prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX));
        return start + "-" + Digest.of(owner(identity), HASH_LENGTH);
    }

    /** Name of the ClusterImageSet that an AgentClusterInstall references, or {@code null}. */
    public static @Nullable String referred(@Nullable AgentClusterInstall install) {
        return AgentClusterInstallView.of(install).imageSetName();
    }

    /**
     * Name of the ClusterImageSet that the installation uses: the one that its AgentClusterInstall references, which
     * assisted-service does not let anyone change, else {@link #name}.
     */
    public static String nameInUse(ControlPlaneIdentity identity, @Nullable AgentClusterInstall install) {
        String referred = referred(install);
        return referred == null ? name(identity) : referred;
    }

    /**
     * Whether the control plane may write the ClusterImageSet of this name: one that does not exist and has the control
     * plane's own name, or one that says that it belongs to the control plane. That of the Go provider has the plain name of
     * the control plane and says nothing; an administrator who annotates it with {@link #OWNER} hands it over.
     */
    public static boolean isWritable(ControlPlaneIdentity identity, String name, @Nullable ClusterImageSet existing) {
        return existing == null ? name.equals(name(identity)) : isOf(identity, existing);
    }

    /**
     * Builds the ClusterImageSet. Its annotations store the registry's answer, so that a restarted manager need not ask
     * again.
     */
    public static ClusterImageSet desired(ControlPlaneIdentity identity, String name, ResolvedRelease release) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder()
                .withName(name)
                .addToAnnotations(OWNER, owner(identity))
                .addToAnnotations(OWNER_UID, identity.uid())
                .addToAnnotations(RESOLVED_FROM, release.resolvedFrom())
                .addToAnnotations(KUBERNETES_VERSION, release.kubernetesVersion())
                .addToAnnotations(RELEASE_VERSION, release.version());
        if (!release.registryAccess().isEmpty()) {
            metadata.addToAnnotations(REGISTRY_ACCESS, release.registryAccess());
        }
        return ForeignObject.of(new ClusterImageSet(), metadata.build(), Map.of("releaseImage", release.image()));
    }

    /**
     * The release stored in the control plane's ClusterImageSet; {@code null} if it is absent or belongs to another
     * owner.
     */
    public static @Nullable ResolvedRelease storedFor(
            ControlPlaneIdentity identity, @Nullable ClusterImageSet imageSet) {
        return imageSet == null || !isOf(identity, imageSet)
                ? null
                : stored(imageSet).orElse(null);
    }

    /** The release stored in any ClusterImageSet; empty if it refers to the image by tag, which can move. */
    public static Optional<ResolvedRelease> stored(ClusterImageSet imageSet) {
        Map<String, String> annotations = imageSet.getMetadata().getAnnotations();
        String image = ClusterImageSetView.of(imageSet).releaseImage();
        String from = annotations == null ? null : annotations.get(RESOLVED_FROM);
        String kubernetes = annotations == null ? null : annotations.get(KUBERNETES_VERSION);
        if (image == null || !image.contains("@sha256:") || annotations == null || from == null || kubernetes == null) {
            return Optional.empty();
        }
        return Optional.of(new ResolvedRelease(
                from,
                image,
                kubernetes,
                annotations.getOrDefault(RELEASE_VERSION, ""),
                annotations.getOrDefault(REGISTRY_ACCESS, "")));
    }

    /** Whether a ClusterImageSet belongs to a control plane of this namespace and name. */
    public static boolean isOf(ControlPlaneIdentity identity, HasMetadata imageSet) {
        return owner(identity).equals(Annotations.value(imageSet, OWNER));
    }

    /** Whether this control plane wrote it, not one of the same name before: what a deletion requires. */
    public static boolean isWrittenBy(ControlPlaneIdentity identity, HasMetadata imageSet) {
        return isOf(identity, imageSet)
                && identity.uid().equals(imageSet.getMetadata().getAnnotations().get(OWNER_UID));
    }

    /** The control plane that a ClusterImageSet belongs to. */
    public static Optional<ResourceID> ownerOf(HasMetadata imageSet) {
        String owner = Annotations.value(imageSet, OWNER);
        int slash = owner == null ? -1 : owner.indexOf('/');
        return owner == null || slash < 0
                ? Optional.empty()
                : Optional.of(new ResourceID(owner.substring(slash + 1), owner.substring(0, slash)));
    }

    private static String owner(ControlPlaneIdentity identity) {
        return identity.namespace() + "/" + identity.name();
    }
}
