package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.jspecify.annotations.Nullable;

/** A contract-versioned object reference (CAPI v1beta2): the version follows from the label of the kind's CRD. */
record Reference(String namespace, String apiGroup, String kind, String name) {

    /** The reference at a path of the object, or {@code null}. */
    static @Nullable Reference of(GenericKubernetesResource resource, String... path) {
        return of(resource.getMetadata().getNamespace(), Fields.any(resource, path));
    }

    static @Nullable Reference of(String namespace, @Nullable Object at) {
        if (Fields.any(at, "apiGroup") instanceof String group
                && Fields.any(at, "kind") instanceof String kind
                && Fields.any(at, "name") instanceof String name) {
            return new Reference(namespace, group, kind, name);
        }
        return null;
    }

    boolean isTo(GenericKubernetesResource resource) {
        return name.equals(resource.getMetadata().getName())
                && kind.equals(resource.getKind())
                && namespace.equals(resource.getMetadata().getNamespace())
                && resource.getApiVersion().startsWith(apiGroup + "/");
    }
}
