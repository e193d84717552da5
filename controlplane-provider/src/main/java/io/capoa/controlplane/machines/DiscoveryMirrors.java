package io.capoa.controlplane.machines;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.untrusted.UntrustedContent;
import org.jspecify.annotations.Nullable;

/**
 * Configures control plane hosts to use the cluster's mirror registries during discovery, unless they have their own.
 */
final class DiscoveryMirrors {

    private static final ObjectMapper JSON = UntrustedContent.json();

    private DiscoveryMirrors() {}

    /**
     * Adds the mirrors to a config's spec.
     *
     * @param configMap name of the ConfigMap with the cluster's mirror registries, {@code null} if there is none
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
