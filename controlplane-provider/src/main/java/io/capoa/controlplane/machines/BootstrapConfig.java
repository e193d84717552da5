package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.Finalizers;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageRegistry;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Desired OpenshiftAssistedConfig of a control plane Machine. */
public final class BootstrapConfig {

    /** Prefix of control plane annotations that are copied to its configs. */
    static final String ADDRESSED_TO_CONFIGS = "openshiftassistedconfig.cluster.x-k8s.io/";

    private BootstrapConfig() {}

    /**
     * Builds the config, including its finalizer, which saves the bootstrap provider a write.
     *
     * <p>Copies the control plane's labels except those of Cluster API, and only annotations with the config prefix:
     * others (last applied configuration, pause, deployment tools) would have another meaning on the config.
     */
    public static OpenshiftAssistedConfig desired(ControlPlaneIdentity identity, String name, boolean arbiter) {
        SortedMap<String, String> annotations = annotations(identity);
        if (arbiter) {
            annotations.put(Annotations.BMAC_ROLE, Arbiters.ROLE);
        }
        OpenshiftAssistedConfig config = new OpenshiftAssistedConfig();
        config.setMetadata(new ObjectMetaBuilder()
                .withNamespace(identity.namespace())
                .withName(name)
                .withLabels(labels(identity))
                .withAnnotations(annotations)
                .withOwnerReferences(identity.owner())
                .withFinalizers(Finalizers.CONFIG)
                .build());
        config.setSpec(DiscoveryMirrors.in(wanted(identity), ImageRegistry.chosen(identity)));
        return config;
    }

    /** The spec of every config of the control plane. */
    static OpenshiftAssistedConfigSpec wanted(ControlPlaneIdentity identity) {
        OpenshiftAssistedConfigSpec spec = identity.controlPlane().getSpec().openshiftAssistedConfigSpec();
        return spec == null ? OpenshiftAssistedConfigSpec.EMPTY : spec;
    }

    private static SortedMap<String, String> labels(ControlPlaneIdentity identity) {
        SortedMap<String, String> labels = new TreeMap<>();
        Map<String, String> own = identity.controlPlane().getMetadata().getLabels();
        if (own != null) {
            labels.putAll(own);
        }
        labels.putAll(identity.labels());
        return labels;
    }

    private static SortedMap<String, String> annotations(ControlPlaneIdentity identity) {
        SortedMap<String, String> annotations = new TreeMap<>();
        Map<String, String> own = identity.controlPlane().getMetadata().getAnnotations();
        if (own != null) {
            own.forEach((key, value) -> {
                if (key.startsWith(ADDRESSED_TO_CONFIGS)) {
                    annotations.put(key, value);
                }
            });
        }
        annotations.putAll(identity.templateAnnotations());
        return annotations;
    }
}
