package io.capoa.lab.core;

import io.capoa.lab.actors.Draft;
import org.jspecify.annotations.Nullable;

/** ScalingUp, ScalingDown and MachinesReady of a MachineSet or MachineDeployment. */
final class ScalingConditions {

    private ScalingConditions() {}

    /** Writes them; {@code refusal} is the reason why no Machines are created. */
    static void write(Draft<?> draft, Counters counters, int wanted, @Nullable String refusal) {
        String change = "from " + counters.replicas() + " to " + wanted + " replicas";
        if (counters.replicas() < wanted) {
            String why = refusal == null ? "" : " is blocked because:\n* " + refusal;
            draft.condition("ScalingUp", "True", "ScalingUp", "Scaling up " + change + why);
        } else {
            draft.condition("ScalingUp", "False", "NotScalingUp", "");
        }
        if (counters.replicas() > wanted) {
            draft.condition("ScalingDown", "True", "ScalingDown", "Scaling down " + change);
        } else {
            draft.condition("ScalingDown", "False", "NotScalingDown", "");
        }
        if (counters.replicas() == 0) {
            draft.condition("MachinesReady", "True", "NoReplicas", "");
        } else if (counters.ready() == counters.replicas()) {
            draft.condition("MachinesReady", "True", "Ready", "");
        } else {
            draft.condition(
                    "MachinesReady",
                    "False",
                    "NotReady",
                    counters.ready() + " of " + counters.replicas() + " Machines are Ready");
        }
    }
}
