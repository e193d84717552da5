package io.capoa.controlplane.operation;

import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.workload.health.EtcdState;
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
        if (installed && !situation.machines().deleting().isEmpty()) {
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
            return new RollOut(Rollout.next(situation, etcd));
        }
        return scale(situation, etcd);
    }

    private static Operation scale(Situation situation, @Nullable EtcdState etcd) {
        Action more = grow(situation, etcd);
        if (!(more instanceof Action.Nothing)) {
            return new Grow(more);
        }
        Action fewer = ScaleDown.decide(situation, etcd);
        return fewer instanceof Action.Nothing ? new None() : new Shrink(fewer);
    }

    /**
     * Creates missing Machines. Before the installation all of them, because the hosts are installed together; in an installed
     * cluster one at a time, each after the previous one has joined etcd: a member that fails while another is being added can
     * cost the quorum.
     */
    static Action grow(Situation situation, @Nullable EtcdState etcd) {
        if (situation.becomesMany()) {
            // The API server refuses this through v1beta1 only: OpenShift fixes at the installation what a cluster is.
            return new Action.Defer(
                    "the cluster was installed as a single node and cannot have more: set spec.replicas to 1");
        }
        Machines staying = situation.machines().staying();
        Machines existing = situation.stage() == Stage.AFTER ? staying : situation.machines();
        int missing = situation.replicas() == null ? 0 : situation.replicas() - existing.size();
        if (missing <= 0) {
            return new Action.Nothing();
        }
        return switch (situation.stage()) {
            case BEFORE -> Arbiters.creation(situation.spec(), staying, missing);
            case DURING -> new Action.Defer("the installation is running; Machines are added when it is complete");
            case AFTER -> Preflight.creation(situation, etcd, Arbiters.creation(situation.spec(), staying, 1));
        };
    }
}
