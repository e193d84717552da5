package io.capoa.controlplane.operation;

import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.RolloutSettings;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.MissingMachines;
import io.capoa.controlplane.workload.health.EtcdState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Replaces the Machines of an installed control plane that only a replacement brings up to date, one at a time. */
public final class Rollout {

    private static final String ON_DELETE = "OnDelete";
    private static final int SMALLEST_WITHOUT_SURGE = 4;

    private Rollout() {}

    /** Whether Machines are to be replaced without the user's deleting them. */
    static boolean isDue(Situation situation) {
        return situation.replicas() != null
                && !situation.outdated().isEmpty()
                && !isOnDelete(situation.identity(), situation.machines().staying());
    }

    /** Whether outdated Machines are only replaced when the user deletes them. */
    public static boolean isOnDelete(ControlPlaneIdentity identity, Machines machines) {
        RolloutSettings settings = identity.controlPlane().getSpec().rollout();
        RolloutSettings.Strategy strategy = settings == null ? null : settings.strategy();
        return strategy == null
                ? machines.stream().anyMatch(machine -> !MissingMachines.isOwn(identity, machine))
                : ON_DELETE.equals(strategy.type());
    }

    static Action next(Situation situation, @Nullable EtcdState etcd) {
        int replicas = situation.replicas() == null ? 0 : situation.replicas();
        int surge = surge(situation);
        Machines staying = situation.machines().staying();
        if (replicas == 1 && staying.size() > 1) {
            return ScaleDown.toSingleNode(staying.size());
        }
        if (replicas == 1) {
            return new Action.Defer("the only Machine of a single-node cluster cannot be replaced: install a new"
                    + " cluster, or take the change back");
        }
        if (surge == 0 && replicas < SMALLEST_WITHOUT_SURGE) {
            return new Action.Defer(("with %d Machines etcd takes no new member after a removal: set"
                            + " spec.rollout.strategy.rollingUpdate.maxSurge to 1")
                    .formatted(replicas));
        }
        Machines eligible = eligible(situation);
        if (staying.size() < replicas + surge) {
            Machine replaced =
                    ScaleDown.choose(ofSurplusRole(situation, eligible).orElse(eligible));
            return Preflight.creation(situation, etcd, new Action.Create(1, Arbiters.is(replaced) ? 1 : 0));
        }
        Machine chosen = ScaleDown.choose(ofSurplusRole(situation, eligible)
                .or(() -> ofSurplusRole(situation, situation.outdated()))
                .or(() -> ofSurplusRole(situation, staying))
                .orElse(eligible));
        return Preflight.deletion(situation, etcd, chosen);
    }

    /** Those of the role of which there are too many Machines; empty if all are of the other role. */
    private static Optional<Machines> ofSurplusRole(Situation situation, Machines machines) {
        return Optional.of(
                        Arbiters.surplus(situation.spec(), situation.machines().staying(), machines))
                .filter(some -> !some.isEmpty());
    }

    private static int surge(Situation situation) {
        RolloutSettings settings = situation.spec().rollout();
        RolloutSettings.Strategy strategy = settings == null ? null : settings.strategy();
        Integer surge = strategy == null || strategy.rollingUpdate() == null
                ? null
                : strategy.rollingUpdate().maxSurge();
        return surge == null ? 1 : surge;
    }

    /** Outdated Machines that the user marked for deletion, else any marked one, else all outdated ones. */
    private static Machines eligible(Situation situation) {
        Machines marked = situation.machines().staying().marked();
        Machines both = situation.outdated().marked();
        return !both.isEmpty() ? both : !marked.isEmpty() ? marked : situation.outdated();
    }
}
