package io.capoa.controlplane.steps.machines;

import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;

/**
 * What the plan of an installation means for the creation of Machines in the same reconcile.
 *
 * @param blocked whether it keeps them from being created
 * @param templates of infrastructure machines that were read for it, and are not read again
 */
public record PlannedCreation(boolean blocked, Map<InfrastructureReference, GenericKubernetesResource> templates) {

    /** Nothing is planned. */
    public static final PlannedCreation NONE = new PlannedCreation(false, Map.of());
}
