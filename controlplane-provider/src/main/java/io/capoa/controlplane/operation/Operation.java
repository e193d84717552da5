package io.capoa.controlplane.operation;

import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.controlplane.machines.ScaleDown;
import io.capoa.controlplane.machines.ScaleUp;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.workload.EtcdState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the control plane as a whole: one operation at a time, each with its next action.
 *
 * <p>In this order: the retry of a failed installation, the removal of Machines that are being deleted, the replacement
 * of an unhealthy Machine, an upgrade that runs, the replacement of outdated Machines, scaling.
 */
public sealed interface Operation {

    /** The control plane is as wanted. */
    record None() implements Operation {}

    /** The failed installation is retried from the beginning. */
    record Retry() implements Operation {}

    /** Machines are being deleted; the action creates a replacement where the removal needs one first. */
    record Removal(Action action) implements Operation {}

    /** An unhealthy Machine is replaced. */
    record Remediate(Remediation.Verdict verdict) implements Operation {
        @Override
        public Action action() {
            return verdict.action();
        }
    }

    /** The cluster moves to another release. */
    record Upgrade() implements Operation {}

    /** Machines that differ from the spec are replaced. */
    record RollOut(Action action) implements Operation {}

    /** Machines are missing. */
    record Grow(Action action) implements Operation {}

    /** There are too many Machines. */
    record Shrink(Action action) implements Operation {}

    /** What is done to the Machines now. */
    default Action action() {
        return new Action.Nothing();
    }

    /**
     * The operation of the moment.
     *
     * @param etcd the cluster's answer; {@code null} if it has not been asked: {@link Action.Ask} asks for it
     */
    static Operation next(Situation situation, @Nullable EtcdState etcd) {
        if (situation.retryDue()) {
            return new Retry();
        }
        boolean installed = situation.stage() == Stage.AFTER;
        if (installed && situation.machines().stream().anyMatch(Situation::isDeleting)) {
            return new Removal(grow(situation, etcd));
        }
        Optional<Remediation.Verdict> unhealthy =
                Remediation.verdict(situation, etcd).filter(Remediation.Verdict::acts);
        if (unhealthy.isPresent()) {
            return new Remediate(unhealthy.get());
        }
        if (installed && situation.upgrading()) {
            return new Upgrade();
        }
        if (installed && Rollout.isDue(situation)) {
            return new RollOut(Preflight.of(situation, etcd, Rollout.next(situation, etcd)));
        }
        return scale(situation, etcd);
    }

    private static Operation scale(Situation situation, @Nullable EtcdState etcd) {
        Action more = grow(situation, etcd);
        if (!(more instanceof Action.Nothing)) {
            return new Grow(more);
        }
        Action fewer = ScaleDown.decide(situation.spec(), situation.machines(), situation.stage(), etcd);
        return fewer instanceof Action.Nothing ? new None() : new Shrink(Preflight.of(situation, etcd, fewer));
    }

    private static Action grow(Situation situation, @Nullable EtcdState etcd) {
        if (situation.becomesMany()) {
            return ScaleUp.ofSingleNode();
        }
        Action more = ScaleUp.decide(
                situation.replicas(),
                situation.machines(),
                situation.stage(),
                situation.floor(),
                etcd == null ? null : etcd.health());
        Action withRoles = Arbiters.missing(situation.spec(), situation.staying(), more);
        return Preflight.of(situation, etcd, MachineApi.joining(situation, etcd, withRoles));
    }
}
