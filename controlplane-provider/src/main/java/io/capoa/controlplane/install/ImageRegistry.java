package io.capoa.controlplane.install;

import io.capoa.api.LocalReference;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import org.jspecify.annotations.Nullable;

/** The ConfigMap that describes the mirror registries of an installation. */
public final class ImageRegistry {

    private ImageRegistry() {}

    /** Name of the ConfigMap in {@code spec.config.imageRegistryRef}, or {@code null}. */
    public static @Nullable String chosen(ControlPlaneIdentity identity) {
        ClusterConfig config = identity.controlPlane().getSpec().config();
        LocalReference reference = config == null ? null : config.imageRegistryRef();
        String name = reference == null ? null : reference.name();
        return name == null || name.isEmpty() ? null : name;
    }
}
