package io.capoa.controlplane.operation;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions.MACHINE_DELETING;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions.REMEDIATION_DEFERRED;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.runtime.status.Blocker;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides about unhealthy Machines, by the rules and limits of KubeadmControlPlane. */
public final class Remediation {

    private static final int HEALTHY_SECONDS = 3600;

    private Remediation() {}

    /**
     * What happens to an unhealthy Machine.
     *
     * @param action deletes it, asks the cluster, or does nothing
     * @param condition reason and message of its condition OwnerRemediated, which stays False
     * @param record what the annotation keeps of it; {@code null} unless it is deleted
     */
    public record Verdict(
            Machine machine,
            Action action,
            Blocker condition,
            @Nullable RemediationRecord record) {

        /** Whether something is done for it now, so that other operations wait. */
        public boolean acts() {
            return !(action instanceof Action.Nothing);
        }
    }

    /** The verdict on the Machine that comes first; empty if all are healthy. */
    public static Optional<Verdict> verdict(Situation situation, @Nullable EtcdState etcd) {
        return situation.machines().staying().stream()
                .filter(UnhealthyMachine::isCandidate)
                .min(order(etcd))
                .map(machine -> verdict(situation, machine, etcd));
    }

    private static Comparator<Machine> order(@Nullable EtcdState etcd) {
        return Comparator.comparing((Machine machine) -> !UnhealthyMachine.isMarked(machine))
                .thenComparing(machine -> MachineView.of(machine).nodeName() != null)
                .thenComparing(machine -> etcd == null || !EtcdAfterRemoval.isBroken(etcd, machine))
                .thenComparing(machine -> String.valueOf(machine.getMetadata().getCreationTimestamp()))
                .thenComparing(machine -> machine.getMetadata().getName());
    }

    private static Verdict verdict(Situation situation, Machine machine, @Nullable EtcdState etcd) {
        RemediationRecord record = record(situation, machine);
        Optional<Blocker> limit = limit(situation, machine, record);
        if (limit.isPresent()) {
            return refused(machine, limit.get());
        }
        switch (situation.stage()) {
            case BEFORE -> {
                return delete(situation, record, machine);
            }
            case DURING -> {
                return refused(
                        machine,
                        cannot(("the installation is running and cannot lose a host; if it fails, set annotation %s"
                                        + " on the control plane")
                                .formatted(Annotations.RETRY_INSTALL)));
            }
            case AFTER -> {}
        }
        Optional<Blocker> obstacle = Preflight.replacement(situation, machine);
        if (obstacle.isPresent()) {
            return refused(machine, obstacle.get());
        }
        if (etcd == null) {
            return new Verdict(
                    machine, new Action.Ask(), deferred("asking the cluster whether etcd can lose a member"), null);
        }
        return Preflight.replacement(situation, machine, etcd)
                .map(blocker -> refused(machine, blocker))
                .orElseGet(() -> delete(situation, consenting(situation, machine, etcd, record), machine));
    }

    /** The limits of {@code spec.remediation} on a replacement that became unhealthy itself. */
    private static Optional<Blocker> limit(Situation situation, Machine machine, RemediationRecord record) {
        if (record.retryCount() == 0) {
            return Optional.empty();
        }
        RemediationRecord last = RemediationRecord.onReplacement(machine).orElse(record);
        Instant again =
                last.timestamp().plusSeconds(orElse(situation.remediation().retryPeriodSeconds(), 0));
        if (again.isAfter(situation.now())) {
            return Optional.of(deferred("it replaces Machine %s, and spec.remediation.retryPeriodSeconds is not over"
                    .formatted(last.machine())));
        }
        Integer most = situation.remediation().maxRetry();
        return most != null && record.retryCount() > most
                ? Optional.of(cannot("spec.remediation.maxRetry (%d) is reached: repair the host, or raise the limit"
                        .formatted(most)))
                : Optional.empty();
    }

    /** A retry is the replacement of a replacement that was not healthy for long enough. */
    private static RemediationRecord record(Situation situation, Machine machine) {
        Duration healthy =
                Duration.ofSeconds(orElse(situation.remediation().minHealthyPeriodSeconds(), HEALTHY_SECONDS));
        int retries = RemediationRecord.onReplacement(machine)
                .filter(last -> last.timestamp().plus(healthy).isAfter(situation.now()))
                .map(last -> last.retryCount() + 1)
                .orElse(0);
        return new RemediationRecord(machine.getMetadata().getName(), situation.now(), retries, false);
    }

    /** Consent is kept only where it is needed, so that it ends with the replacement that needs it. */
    private static RemediationRecord consenting(
            Situation situation, Machine machine, EtcdState etcd, RemediationRecord record) {
        boolean consenting = etcd.membership() != null
                && EtcdAfterRemoval.needsGuardOverridden(situation, machine, etcd.membership())
                && situation.consents(machine);
        return new RemediationRecord(record.machine(), record.timestamp(), record.retryCount(), consenting);
    }

    /** Before the replacement of an earlier Machine exists, the record takes over that one's retries and consent. */
    private static Verdict delete(Situation situation, RemediationRecord record, Machine machine) {
        return new Verdict(
                machine,
                new Action.Delete(machine),
                new Blocker(MACHINE_DELETING, "it is being replaced"),
                RemediationRecord.inProgress(situation.identity().controlPlane())
                        .filter(earlier -> !earlier.isOf(machine))
                        .map(record::after)
                        .orElse(record));
    }

    private static Verdict refused(Machine machine, Blocker why) {
        return new Verdict(machine, new Action.Nothing(), why, null);
    }

    static Blocker deferred(String message) {
        return new Blocker(REMEDIATION_DEFERRED, message);
    }

    static Blocker cannot(String message) {
        return new Blocker(CANNOT_BE_REMEDIATED, message);
    }

    private static int orElse(@Nullable Integer value, int otherwise) {
        return Objects.requireNonNullElse(value, otherwise);
    }
}
