package io.capoa.controlplane.workload.health;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Objects as they are read from a workload cluster. */
public final class Generic {

    private Generic() {}

    public static GenericKubernetesResource of(HasMetadata object) {
        return Serialization.unmarshal(Serialization.asJson(object), GenericKubernetesResource.class);
    }
}
