package io.capoa.lab.core;

import io.capoa.lab.controller.WorkingCopy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets a Cluster or a Machine as controller of the objects that it refers to. */
final class Ownership {

    private final Externals externals;

    Ownership(Externals externals) {
        this.externals = externals;
    }

    /**
     * Sets the controller reference and the cluster-name label, and removes the reference to a Machine's own
     * controller, which created the object.
     */
    void take(
            Reference to,
            GenericKubernetesResource external,
            GenericKubernetesResource controller,
            String clusterName) {
        WorkingCopy<GenericKubernetesResource> working = new WorkingCopy<>(external);
        working.label(Contract.CLUSTER_NAME, clusterName);
        OwnerReference creator = Contract.controllerOf(controller);
        if (creator != null) {
            working.withoutOwners(o -> isSame(o, creator));
        }
        working.owner(Contract.controller(controller));
        externals.write(working, to);
    }

    private static boolean isSame(Map<?, ?> owner, @Nullable OwnerReference creator) {
        return creator != null
                && creator.getKind().equals(owner.get("kind"))
                && creator.getName().equals(owner.get("name"));
    }
}
