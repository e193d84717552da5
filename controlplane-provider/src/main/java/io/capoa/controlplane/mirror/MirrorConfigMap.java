package io.capoa.controlplane.mirror;

import io.capoa.api.Digest;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;

/** Desired ConfigMap with the mirror registry manifests of one control plane. */
public final class MirrorConfigMap {

    private static final String SUFFIX = "-additional-registry-config";
    private static final int MAX_NAME = 253;
    private static final int HASH_LENGTH = 8;

    private MirrorConfigMap() {}

    /** {@code <control plane>-additional-registry-config}; a name that is too long is truncated and hashed. */
    public static String name(ControlPlaneIdentity identity) {
        String name = identity.name();
        if (name.length() + SUFFIX.length() <= MAX_NAME) {
            return name + SUFFIX;
        }
        int kept = MAX_NAME - SUFFIX.length() - HASH_LENGTH - 1;
        return name.substring(0, kept) + "-" + Digest.of(name, HASH_LENGTH) + SUFFIX;
    }

    /** Builds the ConfigMap, owned by the control plane. */
    public static ConfigMap desired(ControlPlaneIdentity identity, MirrorRegistry registry) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(identity.namespace())
                .withName(name(identity))
                .withLabels(identity.labels())
                .withOwnerReferences(identity.owner())
                .endMetadata()
                .withData(MirrorManifests.of(registry))
                .build();
    }
}
