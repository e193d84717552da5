package io.capoa.runtime.manager;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.Cloner;

/** Hands reconcilers what the cache holds: they read it and never change it, so that no copy is needed. */
final class Unchanged implements Cloner {

    @Override
    public <R extends HasMetadata> R clone(R object) {
        return object;
    }
}
