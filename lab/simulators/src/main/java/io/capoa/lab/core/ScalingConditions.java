package io.capoa.lab.core;

import io.capoa.lab.controller.WorkingCopy;
import org.jspecify.annotations.Nullable;

/** ScalingUp, ScalingDown and MachinesReady of a MachineSet or MachineDeployment. */
final class ScalingConditions {

    private ScalingConditions() {}

    /** Writes them; {@code refusal} is the reason why no Machines are created. */
    static void write(WorkingCopy<?> working, Counters counters, int wanted, @Nullable String refusal) {
        String change = "from " + counters.replicas() + " to " + wanted + " replicas";
        if (counters.replicas() < wanted) {
            String why = refusal == null ? "" : " is blocked because:\n* " + refusal;
            working.condition("ScalingUp", "True", "ScalingUp", "Scaling up " + change + why);
        } else {
            working.condition("ScalingUp", "False", "NotScalingUp", "");
        }
        if (counters.replicas() > wanted) {
            working.condition("ScalingDown", "True", "ScalingDown", "Scaling down " + change);
        } else {
            working.condition("ScalingDown", "False", "NotScalingDown", "");
        }
        if (counters.replicas() == 0) {
            working.condition("MachinesReady", "True", "NoReplicas", "");
        } else if (counters.ready() == counters.replicas()) {
            working.condition("MachinesReady", "True", "Ready", "");
        } else {
            working.condition(
                    "MachinesReady",
                    "False",
                    "NotReady",
                    counters.ready() + " of " + counters.replicas() + " Machines are Ready");
        }
    }
}
