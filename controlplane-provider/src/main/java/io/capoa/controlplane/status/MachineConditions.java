package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.runtime.status.Conditions;
import java.util.List;
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
        conditions.isFalse(ROLLING_OUT, NOT_ROLLING_OUT, "");
        conditions.isFalse(REMEDIATING, NOT_REMEDIATING, "");
    }

    private static void created(Conditions conditions, StepResults results, MachineCounts counts, int desired) {
        if (results.machines().creation() instanceof MachineStep.Outcome.Failed failed) {
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
        return results.machines().creation() instanceof MachineStep.Outcome.Waiting waiting
                ? ": " + waiting.message()
                : "";
    }

    private static void ready(Conditions conditions, StepResults results, MachineCounts counts, int desired) {
        if (desired > 0 && counts.ready() == desired && counts.all() == desired) {
            conditions.isTrue(MACHINES_READY, MACHINES_READY, "");
        } else if (desired > 0) {
            conditions.isFalse(
                    MACHINES_READY,
                    MACHINES_NOT_READY,
                    "%d of %d machines are ready".formatted(counts.ready(), desired)
                            + (results.observation().installed() ? counts.notReadyLines() : ""));
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

    private static void scaling(Conditions conditions, MachineCounts counts, int desired, StepResults results) {
        String obstacle = results.machines().scaleDown().message();
        String why = obstacle == null ? "" : ": " + obstacle;
        if (counts.all() < desired) {
            conditions.isTrue(
                    SCALING_UP,
                    SCALING_UP,
                    "Scaling up from %d to %d replicas".formatted(counts.all(), desired) + whyNotMore(results));
        } else {
            conditions.isFalse(SCALING_UP, NOT_SCALING_UP, "");
        }
        List<String> deleting = counts.deleting();
        if (counts.all() > desired) {
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
