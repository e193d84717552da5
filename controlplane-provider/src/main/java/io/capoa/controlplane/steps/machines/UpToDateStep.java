package io.capoa.controlplane.steps.machines;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import io.capoa.controlplane.machines.UpToDate;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;

/** Writes condition UpToDate of each Machine (control plane contract, "UpToDate"). */
public final class UpToDateStep {

    private final MachineConditionWriter conditions;
    private final Clock clock;

    public UpToDateStep(MachineConditionWriter conditions, Clock clock) {
        this.conditions = conditions;
        this.clock = clock;
    }

    /** Returns whether a condition was written. */
    public boolean apply(ControlPlaneObservation observation) {
        boolean written = false;
        for (Machine machine : observation.machines()) {
            if (machine.getMetadata().getDeletionTimestamp() == null) {
                written |= apply(observation, machine);
            }
        }
        return written;
    }

    private boolean apply(ControlPlaneObservation observation, Machine machine) {
        String name = machine.getMetadata().getName();
        List<String> differences = UpToDate.differences(
                observation.identity(),
                machine,
                observation.config(name).orElse(null),
                observation.infrastructureMachine(name),
                clock.instant());
        ConditionView wanted = differences.isEmpty()
                ? new ConditionView(
                        ControlPlaneMachineConditions.UP_TO_DATE,
                        Condition.TRUE,
                        ControlPlaneMachineConditions.UP_TO_DATE,
                        "")
                : new ConditionView(
                        ControlPlaneMachineConditions.UP_TO_DATE,
                        Condition.FALSE,
                        ControlPlaneMachineConditions.NOT_UP_TO_DATE,
                        differences.stream()
                                .map(difference -> "* " + difference)
                                .collect(Collectors.joining("\n")));
        return conditions.write(machine, wanted);
    }
}
