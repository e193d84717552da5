package io.capoa.lab.core;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes Machines of a MachineSet that a health check has marked, so that the set replaces them. Only the conditions
 * of v1beta2 count, as in Cluster API since 1.11.
 */
final class MachineSetRemediation {

    private static final String OWNER_REMEDIATED = "OwnerRemediated";

    private final Writes writes;

    MachineSetRemediation(Writes writes) {
        this.writes = writes;
    }

    /** @param refusal why the set must not create Machines, or {@code null}: then none is deleted either */
    void remediate(List<Machine> machines, @Nullable String refusal) {
        for (Machine machine : machines) {
            if (Contract.isDeleting(machine) || !isFalse(machine, OWNER_REMEDIATED)) {
                continue;
            }
            WorkingCopy<Machine> working = new WorkingCopy<>(machine);
            boolean unhealthy = isFalse(machine, "HealthCheckSucceeded");
            if (!unhealthy && ConditionView.isTrue(machine, "HealthCheckSucceeded")) {
                working.withoutCondition(OWNER_REMEDIATED);
            } else if (unhealthy && refusal != null) {
                working.condition(OWNER_REMEDIATED, "False", "RemediationDeferred", "* " + refusal);
            } else if (unhealthy) {
                working.condition(
                        OWNER_REMEDIATED,
                        "False",
                        "MachineDeleting",
                        "Machine deletionTimestamp set, waiting for deletion");
            }
            if (!working.statusChange().isEmpty()) {
                working.write(writes);
            }
            if (unhealthy && refusal == null) {
                writes.delete(machine);
            }
        }
    }

    private static boolean isFalse(Machine machine, String type) {
        return ConditionView.of(machine, type)
                .filter(condition -> condition.status().equals("False"))
                .isPresent();
    }
}
