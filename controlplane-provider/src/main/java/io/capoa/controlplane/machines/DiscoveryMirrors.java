package io.capoa.controlplane.machines;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import org.jspecify.annotations.Nullable;

/** Lets control plane hosts use the cluster's mirror registries during discovery, unless they have some of their own. */
final class DiscoveryMirrors {

    private static final ObjectMapper JSON = new ObjectMapper();

    private DiscoveryMirrors() {}

    /**
     * The spec with mirrors.
     *
     * @param configMap name of the ConfigMap that describes the cluster's, {@code null} if there are none
     */
    static OpenshiftAssistedConfigSpec in(OpenshiftAssistedConfigSpec spec, @Nullable String configMap) {
        if (configMap == null || spec.mirrorRegistryRef() != null) {
            return spec;
        }
        ObjectNode fields = JSON.valueToTree(spec);
        fields.putObject("mirrorRegistryRef").put("name", configMap);
        return JSON.convertValue(fields, OpenshiftAssistedConfigSpec.class);
    }
}
