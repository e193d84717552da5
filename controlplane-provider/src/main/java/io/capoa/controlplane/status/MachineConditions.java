package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.Annotations;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import io.capoa.controlplane.operation.Operation;
import io.capoa.controlplane.operation.Rollout;
import io.capoa.controlplane.operation.UnhealthyMachine;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.runtime.status.Conditions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Conditions of the control plane's Machines. */
final class MachineConditions {

    private MachineConditions() {}

    static void set(Conditions conditions, StepResults results, MachineCounts counts) {
        int desired = results.observation().desiredReplicas();
        created(conditions, results, counts, desired);
        ready(conditions, results, counts, desired);
        upToDate(conditions, counts);
        scaling(conditions, counts, desired, results);
        rollingOut(conditions, results, counts);
        remediating(conditions, results);
    }

    private static void created(Conditions conditions, StepResults results, MachineCounts counts, int desired) {
        if (results.machines().creation() instanceof MachineStep.Creation.Failed failed) {
            conditions.isFalse(MACHINES_CREATED, failed.blocker());
        } else if (counts.all() < desired) {
            conditions.isFalse(
                    MACHINES_CREATED,
                    CREATING_MACHINES,
                    "%d of %d machines are created".formatted(counts.all(), desired) + whyNotMore(results));
        } else {
            conditions.isTrue(MACHINES_CREATED, MACHINES_CREATED, "");
        }
    }

    private static String whyNotMore(StepResults results) {
        return results.machines().creation() instanceof MachineStep.Creation.Waiting waiting
                ? ": " + waiting.message()
                : "";
    }

    private static void ready(Conditions conditions, StepResults results, MachineCounts counts, int desired) {
        if (desired > 0 && counts.ready() >= desired) {
            conditions.isTrue(MACHINES_READY, MACHINES_READY, "");
        } else if (desired > 0) {
            conditions.isFalse(
                    MACHINES_READY,
                    MACHINES_NOT_READY,
                    "%d of %d machines are ready".formatted(counts.ready(), Math.max(desired, counts.all()))
                            + (results.observation().installed() ? counts.notReadyMachines() : ""));
        } else {
            conditions.keep(MACHINES_READY);
        }
    }

    private static void upToDate(Conditions conditions, MachineCounts counts) {
        if (counts.all() == 0) {
            conditions.isTrue(MACHINES_UP_TO_DATE, NO_REPLICAS, "");
        } else if (counts.differences().isEmpty()) {
            conditions.isTrue(MACHINES_UP_TO_DATE, MACHINES_UP_TO_DATE, "");
        } else {
            conditions.isFalse(
                    MACHINES_UP_TO_DATE,
                    MACHINES_NOT_UP_TO_DATE,
                    counts.differences().entrySet().stream()
                            .map(entry -> "* Machine " + entry.getKey() + ": " + String.join("; ", entry.getValue()))
                            .collect(Collectors.joining("\n")));
        }
    }

    /** From the first outdated Machine to the last, also while another operation runs, such as the removal of one of them. */
    private static void rollingOut(Conditions conditions, StepResults results, MachineCounts counts) {
        int outdated = results.observation().installed() ? counts.outdated() : 0;
        boolean onDelete = isOnDelete(results);
        if (outdated > 0 && !onDelete && results.observation().desiredReplicas() > 0) {
            conditions.isTrue(
                    ROLLING_OUT,
                    ROLLING_OUT,
                    "Rolling out %d not up-to-date replicas".formatted(outdated) + why(results));
        } else if (outdated > 0 && onDelete) {
            conditions.isFalse(
                    ROLLING_OUT,
                    WAITING_FOR_DELETION,
                    ("%d replicas are not up to date and are replaced when you delete their Machines; to replace them all,"
                                    + " set spec.rollout.strategy.type to RollingUpdate")
                            .formatted(outdated));
        } else {
            conditions.isFalse(ROLLING_OUT, NOT_ROLLING_OUT, "");
        }
    }

    private static boolean isOnDelete(StepResults results) {
        return Rollout.isOnDelete(
                results.observation().identity(), results.observation().machines());
    }

    private static void remediating(Conditions conditions, StepResults results) {
        List<Machine> unhealthy = results.observation().machines().stream()
                .filter(UnhealthyMachine::isCandidate)
                .sorted(Comparator.comparing(machine -> machine.getMetadata().getName()))
                .toList();
        String message = unhealthy.stream()
                .map(machine -> machine.getMetadata().getName() + ": "
                        + remediation(machine).map(ConditionView::message).orElse("waiting for its replacement"))
                .collect(Collectors.joining("; ", "Machine ", ""));
        boolean deletes = results.machines().operation() instanceof Operation.Remediate remediate
                && remediate.verdict().record() != null;
        if (deletes
                || unhealthy.stream().anyMatch(Machine::isMarkedForDeletion)
                || Annotations.has(results.observation().controlPlane(), Annotations.REMEDIATION_IN_PROGRESS)) {
            conditions.isTrue(
                    REMEDIATING,
                    REMEDIATING,
                    unhealthy.isEmpty() ? "the replacement of an unhealthy Machine is being created" : message);
        } else if (unhealthy.isEmpty()) {
            conditions.isFalse(REMEDIATING, NOT_REMEDIATING, "");
        } else {
            boolean never = unhealthy.stream()
                    .anyMatch(machine -> remediation(machine)
                            .filter(condition -> condition.reason().equals(CANNOT_BE_REMEDIATED))
                            .isPresent());
            conditions.isFalse(REMEDIATING, never ? CANNOT_BE_REMEDIATED : REMEDIATION_DEFERRED, message);
        }
    }

    private static Optional<ConditionView> remediation(Machine machine) {
        return MachineView.of(machine).condition(ControlPlaneMachineConditions.OWNER_REMEDIATED);
    }

    /** What the operation waits for; empty if it goes on. */
    private static String why(StepResults results) {
        String obstacle = results.machines().outcome().message();
        return obstacle == null ? "" : ": " + obstacle;
    }

    private static void scaling(Conditions conditions, MachineCounts counts, int desired, StepResults results) {
        String why = why(results);
        SortedSet<String> deleting = counts.deleting();
        boolean surging = counts.all() > desired
                && counts.outdated() > 0
                && deleting.isEmpty()
                && !results.observation().machines().joining().isEmpty();
        if (surging) {
            conditions.isTrue(
                    SCALING_UP,
                    SCALING_UP,
                    "Scaling up to %d replicas, to replace one that is not up to date".formatted(counts.all()) + why);
        } else if (counts.all() < desired) {
            conditions.isTrue(
                    SCALING_UP,
                    SCALING_UP,
                    "Scaling up from %d to %d replicas".formatted(counts.all(), desired) + whyNotMore(results));
        } else {
            conditions.isFalse(SCALING_UP, NOT_SCALING_UP, "");
        }
        if (counts.all() > desired && !surging) {
            conditions.isTrue(
                    SCALING_DOWN,
                    SCALING_DOWN,
                    "Scaling down from %d to %d replicas".formatted(counts.all(), desired) + why);
        } else if (!deleting.isEmpty()) {
            conditions.isTrue(
                    SCALING_DOWN, SCALING_DOWN, "Machines are being deleted: " + String.join(", ", deleting) + why);
        } else {
            conditions.isFalse(SCALING_DOWN, NOT_SCALING_DOWN, "");
        }
    }
}
