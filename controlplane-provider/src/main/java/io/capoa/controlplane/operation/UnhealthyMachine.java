package io.capoa.controlplane.operation;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import java.util.List;

/** What MachineHealthChecks and external remediation say about a Machine. */
public final class UnhealthyMachine {

    /** Condition of a MachineHealthCheck. */
    public static final String HEALTH_CHECK_SUCCEEDED = "HealthCheckSucceeded";

    private UnhealthyMachine() {}

    /**
     * Whether the owner is asked to replace the Machine. Metal3's external remediation gives up in the deprecated
     * conditions only, so these count as well.
     */
    public static boolean isCandidate(Machine machine) {
        return isFailed(machine)
                && (isFalse(
                                Fields.list(machine, "status", "conditions"),
                                ControlPlaneMachineConditions.OWNER_REMEDIATED)
                        || isFalse(
                                Fields.list(machine, "status", "deprecated", "v1beta1", "conditions"),
                                ControlPlaneMachineConditions.OWNER_REMEDIATED));
    }

    /** Whether its MachineHealthCheck found it unhealthy. */
    public static boolean isFailed(Machine machine) {
        return isFalse(Fields.list(machine, "status", "conditions"), HEALTH_CHECK_SUCCEEDED);
    }

    /** Whether its MachineHealthCheck finds it healthy. */
    public static boolean isHealthy(Machine machine) {
        return MachineView.of(machine).isTrue(HEALTH_CHECK_SUCCEEDED);
    }

    /** Whether it is healthy again, and the owner is still asked to replace it. */
    public static boolean hasRecovered(Machine machine) {
        return !machine.isMarkedForDeletion()
                && isHealthy(machine)
                && MachineView.of(machine)
                        .condition(ControlPlaneMachineConditions.OWNER_REMEDIATED)
                        .isPresent();
    }

    /** Whether the user asked for the Machine's replacement. */
    static boolean isMarked(Machine machine) {
        return Annotations.has(machine, Annotations.REMEDIATE_MACHINE);
    }

    private static boolean isFalse(List<?> conditions, String type) {
        return conditions.stream()
                .filter(condition -> type.equals(Fields.text(condition, "type")))
                .anyMatch(condition -> Condition.FALSE.equals(Fields.text(condition, "status")));
    }
}
