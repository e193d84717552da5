package io.capoa.controlplane.identity;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;

/** Builds objects of foreign kinds. */
public final class ForeignObject {

    private ForeignObject() {}

    /** Completes a new object with its API version and kind, metadata and {@code spec}. */
    public static <T extends GenericKubernetesResource> T of(T object, ObjectMeta metadata, Map<String, ?> spec) {
        object.setApiVersion(HasMetadata.getApiVersion(object.getClass()));
        object.setKind(HasMetadata.getKind(object.getClass()));
        object.setMetadata(metadata);
        object.setAdditionalProperty("spec", spec);
        return object;
    }
}
