package io.capoa.runtime.manager;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.Cloner;

/** Does not clone: reconcilers never modify cached objects. */
final class NoCopyCloner implements Cloner {

    @Override
    public <R extends HasMetadata> R clone(R object) {
        return object;
    }
}
