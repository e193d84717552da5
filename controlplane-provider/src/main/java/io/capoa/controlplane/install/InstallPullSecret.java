package io.capoa.controlplane.install;

import io.capoa.api.LocalReference;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The pull secret of an installation, and the placeholder for releases that need none (OKD). */
public final class InstallPullSecret {

    /** Key of the registries' credentials in a pull secret. */
    public static final String KEY = ".dockerconfigjson";

    /** Name of the placeholder; all clusters of a namespace share it. */
    public static final String PLACEHOLDER = "placeholder-pull-secret";

    /** A pull secret that assisted-service accepts and that holds no real credentials. */
    private static final String PLACEHOLDER_CONTENT =
            "{\"auths\":{\"fake-pull-secret\":{\"auth\":\"cGxhY2Vob2xkZXI6c2VjcmV0Cg==\"}}}";

    private InstallPullSecret() {}

    /** Name of the Secret in the spec, or {@code null}. */
    public static @Nullable String chosen(ControlPlaneIdentity identity) {
        ClusterConfig config = identity.controlPlane().getSpec().config();
        LocalReference reference = config == null ? null : config.pullSecretRef();
        String name = reference == null ? null : reference.name();
        return name == null || name.isEmpty() ? null : name;
    }

    /** Name of the Secret to use: the one in the spec, else the placeholder. */
    public static String name(ControlPlaneIdentity identity) {
        String chosen = chosen(identity);
        return chosen == null ? PLACEHOLDER : chosen;
    }

    /** The placeholder; it has no owner, because all clusters of the namespace share it. */
    public static Secret placeholder(String namespace) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(PLACEHOLDER)
                .endMetadata()
                .addToData(KEY, encoded(PLACEHOLDER_CONTENT))
                .build();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
