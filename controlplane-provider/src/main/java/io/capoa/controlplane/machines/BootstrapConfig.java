package io.capoa.controlplane.machines;

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

    /** Annotations of the control plane whose names begin so are addressed to its configs. */
    static final String ADDRESSED_TO_CONFIGS = "openshiftassistedconfig.cluster.x-k8s.io/";

    private BootstrapConfig() {}

    /**
     * The config with its finalizer, which saves the bootstrap provider a write.
     *
     * <p>Labels of the control plane are copied where they are not Cluster API's own; of its annotations only those
     * addressed to configs, for others (last applied configuration, pause, tracking by deployment tools) would mean
     * something else on the config.
     */
    public static OpenshiftAssistedConfig desired(ControlPlaneIdentity identity, String name) {
        OpenshiftAssistedConfig config = new OpenshiftAssistedConfig();
        config.setMetadata(new ObjectMetaBuilder()
                .withNamespace(identity.namespace())
                .withName(name)
                .withLabels(labels(identity))
                .withAnnotations(annotations(identity))
                .withOwnerReferences(identity.owner())
                .withFinalizers(Finalizers.CONFIG)
                .build());
        config.setSpec(DiscoveryMirrors.in(wanted(identity), ImageRegistry.chosen(identity)));
        return config;
    }

    /** The spec that every config of the control plane is to have. */
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
