package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Update predicate: ignores changes that only bump resourceVersion, and those of finalizers: every controller adds its own
 * when it first sees an object, and what they wait for matters once the object is being deleted.
 */
final class UpdatePredicate {

    private UpdatePredicate() {}

    /**
     * Whether what is kept of an object has changed: its content, and of its metadata what people and controllers set.
     * Of a kind whose content this class does not know, every update counts.
     */
    static boolean hasChanged(HasMetadata before, HasMetadata after) {
        return (after.isMarkedForDeletion() && !sameFinalizers(before, after)) || differs(before, after);
    }

    /** The same of a kind whose finalizers are read. */
    static boolean hasChangedWithFinalizers(HasMetadata before, HasMetadata after) {
        return !sameFinalizers(before, after) || differs(before, after);
    }

    /** Whether all but the status of an object is as it was. */
    static boolean isOfStatusAlone(HasMetadata before, HasMetadata after) {
        return sameFinalizers(before, after)
                && sameMetadata(before.getMetadata(), after.getMetadata())
                && before instanceof GenericKubernetesResource was
                && after instanceof GenericKubernetesResource is
                && withoutStatus(was).equals(withoutStatus(is));
    }

    private static Map<String, Object> withoutStatus(GenericKubernetesResource resource) {
        Map<String, Object> rest = new HashMap<>(resource.getAdditionalProperties());
        rest.remove("status");
        return rest;
    }

    private static boolean sameFinalizers(HasMetadata before, HasMetadata after) {
        return Objects.equals(
                before.getMetadata().getFinalizers(), after.getMetadata().getFinalizers());
    }

    private static boolean differs(HasMetadata before, HasMetadata after) {
        return !sameMetadata(before.getMetadata(), after.getMetadata()) || !sameContent(before, after);
    }

    private static boolean sameMetadata(ObjectMeta before, ObjectMeta after) {
        return Objects.equals(before.getUid(), after.getUid())
                && Objects.equals(before.getDeletionTimestamp(), after.getDeletionTimestamp())
                && Objects.equals(before.getLabels(), after.getLabels())
                && Objects.equals(before.getAnnotations(), after.getAnnotations())
                && Objects.equals(before.getOwnerReferences(), after.getOwnerReferences());
    }

    private static boolean sameContent(HasMetadata before, HasMetadata after) {
        if (before instanceof GenericKubernetesResource was && after instanceof GenericKubernetesResource is) {
            return was.getAdditionalProperties().equals(is.getAdditionalProperties());
        }
        if (before instanceof CustomResource<?, ?> was && after instanceof CustomResource<?, ?> is) {
            return Objects.equals(was.getSpec(), is.getSpec()) && Objects.equals(was.getStatus(), is.getStatus());
        }
        if (before instanceof Secret was && after instanceof Secret is) {
            return Objects.equals(was.getData(), is.getData()) && Objects.equals(was.getType(), is.getType());
        }
        return before instanceof ConfigMap was
                && after instanceof ConfigMap is
                && Objects.equals(was.getData(), is.getData())
                && Objects.equals(was.getBinaryData(), is.getBinaryData());
    }
}
