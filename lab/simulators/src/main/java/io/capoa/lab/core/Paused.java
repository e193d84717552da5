package io.capoa.lab.core;

import io.capoa.lab.controller.WorkingCopy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.jspecify.annotations.Nullable;

/** The Paused condition of all kinds of Cluster API. */
final class Paused {

    private Paused() {}

    /** Sets the condition; whether the object is paused. */
    static boolean show(WorkingCopy<?> working, @Nullable GenericKubernetesResource cluster) {
        boolean paused = Contract.isPaused(cluster, working.read());
        if (paused) {
            boolean byCluster = cluster != null && Contract.isPaused(cluster, cluster);
            working.condition(
                    "Paused",
                    "True",
                    "Paused",
                    byCluster
                            ? "Cluster spec.paused is set to true"
                            : working.read().getKind() + " has the " + Contract.PAUSED + " annotation");
        } else {
            working.condition("Paused", "False", "NotPaused", "");
        }
        return paused;
    }
}
