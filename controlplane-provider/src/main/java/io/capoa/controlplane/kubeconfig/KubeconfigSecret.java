package io.capoa.controlplane.kubeconfig;

import io.capoa.api.Annotations;
import io.capoa.api.Digest;
import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Desired Secret {@code <cluster>-kubeconfig} (Cluster API v1beta2 control plane contract, "kubeconfig secret"): a copy
 * of the administrator kubeconfig that assisted-service publishes, and replaces when the installation is complete. A copy
 * into which the user has written another kubeconfig stays as it is until there is another one to copy.
 */
public final class KubeconfigSecret {

    /** Secret type that Cluster API's controllers expect. */
    public static final String TYPE = "cluster.x-k8s.io/secret";

    /** Key of the kubeconfig in the copy. */
    public static final String KEY = "value";

    /** Key of the kubeconfig in assisted-service's Secret. */
    public static final String SOURCE_KEY = "kubeconfig";

    /** Of a kubeconfig in base64. A usual one has 10 to 20 KiB. */
    private static final int LONGEST = 256 << 10;

    private static final int HASH_LENGTH = 16;

    private KubeconfigSecret() {}

    /** Whether a kubeconfig, base64, is longer than one that is used; it is cached as an empty one. */
    public static boolean isTooLong(String content) {
        return content.length() > LONGEST;
    }

    public static String name(String clusterName) {
        return clusterName + "-kubeconfig";
    }

    /** Name of the Secret to copy, once assisted-service has published one. */
    public static @Nullable String sourceName(@Nullable AgentClusterInstall install) {
        return AgentClusterInstallView.of(install).adminKubeconfigSecretName();
    }

    /** The kubeconfig in the source, base64, or {@code null} if it is not set yet or too long. */
    public static @Nullable String content(Secret source) {
        return content(source, SOURCE_KEY);
    }

    /** The kubeconfig in the copy, base64, or {@code null} if it has none or one that is too long. */
    public static @Nullable String copied(Secret copy) {
        return content(copy, KEY);
    }

    private static @Nullable String content(Secret secret, String key) {
        String content = secret.getData() == null ? null : secret.getData().get(key);
        return content == null || content.isEmpty() || isTooLong(content) ? null : content;
    }

    /**
     * Builds the Secret with the kubeconfig of the source.
     *
     * @param content kubeconfig of the source, base64
     * @param existing the Secret as it was read; a later one is not overwritten
     */
    public static Secret desired(ControlPlaneIdentity identity, String content, @Nullable Secret existing) {
        return with(identity, content, Digest.of(content, HASH_LENGTH), existing);
    }

    /**
     * Builds the Secret with its own kubeconfig.
     *
     * @param own kubeconfig in the Secret, base64
     * @param source kubeconfig of the source, base64; {@code null} if there is none
     */
    public static Secret kept(ControlPlaneIdentity identity, String own, @Nullable String source, Secret existing) {
        return with(identity, own, source == null ? hash(existing) : Digest.of(source, HASH_LENGTH), existing);
    }

    private static Secret with(
            ControlPlaneIdentity identity, String content, @Nullable String hash, @Nullable Secret existing) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(identity.namespace())
                .withName(name(identity.clusterName()))
                .withResourceVersion(
                        existing == null ? null : existing.getMetadata().getResourceVersion())
                .addToLabels(Labels.CLUSTER_NAME, identity.clusterName())
                .addToAnnotations(hash == null ? Map.of() : Map.of(Annotations.COPIED_KUBECONFIG, hash))
                .withOwnerReferences(identity.controller())
                .endMetadata()
                .withType(TYPE)
                .addToData(KEY, content)
                .build();
    }

    /**
     * Whether the user has written another kubeconfig into the Secret, after the present one of the source had been copied. A
     * Secret without the annotation is a copy of an earlier version or of the Go provider, and one without controller is
     * left over from an earlier cluster or restored from a backup; but not if this control plane has used one before: then
     * the user has replaced all of it.
     *
     * @param source kubeconfig of the source, base64
     * @param used whether the API of the cluster has been reached with a kubeconfig of this control plane
     */
    public static boolean isReplaced(ControlPlaneIdentity identity, Secret copy, String source, boolean used) {
        String hash = hash(copy);
        boolean sameSource =
                hash == null ? used && !identity.controls(copy) : hash.equals(Digest.of(source, HASH_LENGTH));
        return sameSource && !source.equals(copied(copy));
    }

    private static @Nullable String hash(Secret copy) {
        return Annotations.value(copy, Annotations.COPIED_KUBECONFIG);
    }

    /**
     * Whether the Secret belongs to another owner. A Secret of another type is the user's and left alone; one of
     * Cluster API's type without a controller, as after a restore, is adopted.
     */
    public static boolean isForeign(ControlPlaneIdentity identity, @Nullable Secret existing) {
        return existing != null
                && !identity.controls(existing)
                && !(TYPE.equals(existing.getType()) && !hasController(existing));
    }

    private static boolean hasController(Secret secret) {
        return secret.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    }
}
