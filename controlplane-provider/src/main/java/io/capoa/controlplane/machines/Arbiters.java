package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.controlplane.v1beta1.ArbiterSettings;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Map;

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
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations != null && ROLE.equals(annotations.get(Annotations.BMAC_ROLE));
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
     * A creation with the roles that are missing; every other action as it is.
     *
     * @param staying the control plane's Machines that are not being deleted
     */
    public static Action missing(
            OpenshiftAssistedControlPlaneSpec spec, Collection<? extends HasMetadata> staying, Action action) {
        if (!(action instanceof Action.Create create)) {
            return action;
        }
        int present = (int) staying.stream().filter(Arbiters::is).count();
        return new Action.Create(
                create.count(), Math.clamp(ArbiterSettings.count(spec.arbiter()) - present, 0, create.count()));
    }

    /** Machines of the role of which there are too many, so that one of them can go; all where both roles are complete. */
    public static <T extends HasMetadata> List<T> surplus(
            OpenshiftAssistedControlPlaneSpec spec, Collection<T> staying, List<T> eligible) {
        int replicas = spec.replicas() == null ? staying.size() : spec.replicas();
        long arbiters = staying.stream().filter(Arbiters::is).count();
        int wanted = ArbiterSettings.count(spec.arbiter());
        boolean others = staying.size() - arbiters > replicas - wanted;
        boolean own = arbiters > wanted;
        return own == others
                ? eligible
                : eligible.stream().filter(machine -> is(machine) == own).toList();
    }
}
