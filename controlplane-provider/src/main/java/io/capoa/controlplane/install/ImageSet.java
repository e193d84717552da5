package io.capoa.controlplane.install;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.Digest;
import io.capoa.controlplane.identity.ForeignObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Desired ClusterImageSet: the release image, by digest, under a cluster-scoped name.
 *
 * <p>A namespaced owner reference is not possible on a cluster-scoped object: the annotation {@link #OWNER} says whose
 * it is, and the control plane deletes it.
 */
public final class ImageSet {

    /** {@code namespace/name} of the control plane that a ClusterImageSet was made for. */
    public static final String OWNER = "controlplane.cluster.x-k8s.io/owner";

    private static final int MAX_PREFIX = 200;
    private static final int HASH_LENGTH = 8;

    private ImageSet() {}

    /** {@code <namespace>-<name>-<hash of both>}; the hash keeps {@code a-b/c} and {@code a/b-c} apart. */
    public static String name(ControlPlaneIdentity identity) {
        String prefix = identity.namespace() + "-" + identity.name();
        String start = prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX));
        return start + "-" + Digest.of(owner(identity), HASH_LENGTH);
    }

    /** The name that the AgentClusterInstall refers to once the installation runs, and ours until then. */
    public static String nameInUse(ControlPlaneIdentity identity, @Nullable AgentClusterInstall install) {
        if (install != null && InstallState.of(install).started()) {
            String referred = Fields.string(install, "spec", "imageSetRef", "name");
            return referred == null ? name(identity) : referred;
        }
        return name(identity);
    }

    /**
     * The ClusterImageSet of a control plane.
     *
     * @param releaseImage {@code repository@sha256:…}
     */
    public static ClusterImageSet desired(ControlPlaneIdentity identity, String releaseImage) {
        return ForeignObject.of(
                new ClusterImageSet(),
                new ObjectMetaBuilder()
                        .withName(name(identity))
                        .addToAnnotations(OWNER, owner(identity))
                        .build(),
                Map.of("releaseImage", releaseImage));
    }

    /** Whether a ClusterImageSet was made for this control plane. */
    public static boolean isOf(ControlPlaneIdentity identity, HasMetadata imageSet) {
        Map<String, String> annotations = imageSet.getMetadata().getAnnotations();
        return annotations != null && owner(identity).equals(annotations.get(OWNER));
    }

    private static String owner(ControlPlaneIdentity identity) {
        return identity.namespace() + "/" + identity.name();
    }
}
