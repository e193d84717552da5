package io.capoa.lab.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Namespace and name of an object.
 *
 * @param namespace empty for cluster-scoped objects
 */
public record Key(String namespace, String name) {

    public static Key of(HasMetadata resource) {
        String namespace = resource.getMetadata().getNamespace();
        return new Key(
                namespace == null ? "" : namespace, resource.getMetadata().getName());
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
