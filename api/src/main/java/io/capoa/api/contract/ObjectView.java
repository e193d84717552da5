package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;

/** Read view of an object of a foreign kind: metadata and conditions, which all kinds have. */
public interface ObjectView {

    GenericKubernetesResource object();

    default boolean isDeleting() {
        ObjectMeta metadata = object().getMetadata();
        return metadata != null && metadata.getDeletionTimestamp() != null;
    }

    /** The condition of that type, if the object has one. */
    default Optional<ConditionView> condition(String type) {
        return ConditionView.of(object(), type);
    }

    /** Whether the object has the condition with status True. */
    default boolean isTrue(String condition) {
        return ConditionView.isTrue(object(), condition);
    }
}
