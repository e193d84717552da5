package io.capoa.controlplane.kubeconfig;

import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Desired Secret {@code <cluster>-kubeconfig} (Cluster API v1beta2 control plane contract, "kubeconfig secret"): a copy
 * of the administrator kubeconfig that assisted-service publishes, and replaces when the installation is complete.
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

    /** The kubeconfig in the source, base64, or {@code null} if it is not set yet. */
    public static @Nullable String content(Secret source) {
        String content = source.getData() == null ? null : source.getData().get(SOURCE_KEY);
        return content == null || content.isEmpty() ? null : content;
    }

    /**
     * Builds the Secret.
     *
     * @param content kubeconfig of the source, base64
     */
    public static Secret desired(ControlPlaneIdentity identity, String content) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(identity.namespace())
                .withName(name(identity.clusterName()))
                .addToLabels(Labels.CLUSTER_NAME, identity.clusterName())
                .withOwnerReferences(identity.controller())
                .endMetadata()
                .withType(TYPE)
                .addToData(KEY, content)
                .build();
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
