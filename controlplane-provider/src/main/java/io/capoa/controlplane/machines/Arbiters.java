package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.controlplane.v1beta1.ArbiterSettings;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The arbiters among the Machines of a control plane: hosts with a member of etcd that carry no control plane. A Machine
 * and its config are marked by the annotation that assisted-service has for roles.
 */
public final class Arbiters {

    /** assisted-service's name of the role. */
    public static final String ROLE = "arbiter";

    private Arbiters() {}

    /** Whether a Machine or its config is marked as an arbiter. */
    public static boolean is(HasMetadata object) {
        return ROLE.equals(Annotations.value(object, Annotations.BMAC_ROLE));
    }

    /** Template of the infrastructure machines of arbiters, or of the other Machines. */
    public static InfrastructureReference infrastructure(OpenshiftAssistedControlPlaneSpec spec, boolean arbiter) {
        InfrastructureReference own =
                arbiter && spec.arbiter() != null ? spec.arbiter().infrastructureRef() : null;
        return own == null ? spec.machineTemplate().spec().infrastructureRef() : own;
    }

    /** Path of the field that {@link #infrastructure} comes from. */
    public static String field(OpenshiftAssistedControlPlaneSpec spec, boolean arbiter) {
        return arbiter && spec.arbiter() != null && spec.arbiter().infrastructureRef() != null
                ? "spec.arbiter.infrastructureRef"
                : "spec.machineTemplate.spec.infrastructureRef";
    }

    /**
     * The creation of so many Machines, of the roles that are missing.
     *
     * @param staying the control plane's Machines that are not being deleted
     */
    public static Action.Create creation(OpenshiftAssistedControlPlaneSpec spec, Machines staying, int count) {
        int present = staying.filter(Arbiters::is).size();
        return new Action.Create(count, Math.clamp(ArbiterSettings.count(spec.arbiter()) - present, 0, count));
    }

    /** Machines of the role of which there are too many, so that one of them can go; all where both roles are complete. */
    public static Machines surplus(OpenshiftAssistedControlPlaneSpec spec, Machines staying, Machines eligible) {
        int replicas = spec.replicas() == null ? staying.size() : spec.replicas();
        int arbiters = staying.filter(Arbiters::is).size();
        int wanted = ArbiterSettings.count(spec.arbiter());
        boolean others = staying.size() - arbiters > replicas - wanted;
        boolean own = arbiters > wanted;
        return own == others ? eligible : eligible.filter(machine -> is(machine) == own);
    }
}
