package io.capoa.bootstrap.ignition;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Config specs from YAML. */
final class Specs {

    private Specs() {}

    static OpenshiftAssistedConfigSpec of(String yaml) {
        return Serialization.unmarshal(yaml, OpenshiftAssistedConfigSpec.class);
    }
}
