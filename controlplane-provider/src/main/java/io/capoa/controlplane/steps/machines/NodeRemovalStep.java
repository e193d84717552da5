package io.capoa.controlplane.steps.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.machines.DeletionHooks;
import io.capoa.controlplane.machines.Floor;
import io.capoa.controlplane.machines.HostOff;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.operation.UnhealthyMachine;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.removal.NodeRemoval;
import io.capoa.controlplane.workload.removal.NodeRemoval.Leaving;
import io.capoa.controlplane.workload.removal.NodeRemoval.Step;
import io.capoa.controlplane.workload.removal.NodeRemover;
import io.capoa.runtime.write.Applier;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Removes the nodes of Machines that are being deleted: lets Cluster API drain them once they may leave, and releases the
 * hosts of those that have left the cluster. At
 * most one change of the cluster per reconcile, each based on fresh reads and behind a {@link Fence}.
 */
public final class NodeRemovalStep {

    private sealed interface Progress {
        record Gone() implements Progress {}

        record MayDrain() implements Progress {}

        record Waiting(String message) implements Progress {}

        record Changed(String message) implements Progress {}
    }

    private static final Step NO_KUBECONFIG = new Step.Unreachable("there is no kubeconfig");

    private final ControlPlaneSources sources;
    private final Applier applier;
    private final Fence fence;
    private final Clock clock;

    public NodeRemovalStep(ControlPlaneSources sources, Applier applier, Fence fence, Clock clock) {
        this.sources = sources;
        this.applier = applier;
        this.fence = fence;
        this.clock = clock;
    }

    /**
     * Starts with the Machine that has waited longest; continues with the next if that one must wait.
     *
     * @param floor how many members etcd has to have left after the removal of a Machine
     * @return what is waited for; {@code null} if nothing is
     */
    @Nullable
    String apply(ControlPlaneObservation observation, Function<Machine, Floor> floor, WorkloadClusterQueries queries) {
        List<Machine> deleting = observation.machines().deleting().stream()
                .filter(machine -> !DeletionHooks.on(machine).isEmpty())
                .sorted(Comparator.comparing((Machine machine) ->
                                Objects.requireNonNull(machine.getMetadata().getDeletionTimestamp()))
                        .thenComparing(machine -> machine.getMetadata().getName()))
                .toList();
        String waiting = null;
        for (Machine machine : deleting) {
            String of = "Machine " + machine.getMetadata().getName() + ": ";
            switch (proceed(observation, machine, floor.apply(machine), queries)) {
                case Progress.Gone ignored -> release(machine, DeletionHooks.on(machine));
                case Progress.MayDrain ignored -> {
                    release(machine, List.of(Annotations.PRE_DRAIN_HOOK));
                    waiting = waiting == null ? of + draining(machine) : waiting;
                }
                case Progress.Waiting some -> waiting = waiting == null ? of + some.message() : waiting;
                case Progress.Changed some -> {
                    return of + some.message();
                }
            }
        }
        return waiting;
    }

    private Progress proceed(
            ControlPlaneObservation observation, Machine machine, Floor floor, WorkloadClusterQueries queries) {
        if (!observation.hasEtcd()) {
            return new Progress.Gone();
        }
        if (isSkipped(observation, machine)) {
            return fenced(observation, machine);
        }
        if (DeletionHooks.holdsDrain(machine)) {
            return beforeDrain(observation, machine, floor, queries);
        }
        if (!DeletionHooks.isTerminating(machine)) {
            return new Progress.Waiting(draining(machine));
        }
        List<String> others = DeletionHooks.ofOthers(machine);
        if (!others.isEmpty()) {
            return new Progress.Waiting(
                    "waiting for the pre-terminate hooks of other controllers: " + String.join(", ", others));
        }
        if (NodeIdentity.hasNoHost(observation, machine)) {
            return fenced(observation, machine);
        }
        return remove(observation, machine, floor, queries);
    }

    /** A Machine that is unhealthy, or has no Node, is not waited for. */
    private Progress beforeDrain(
            ControlPlaneObservation observation, Machine machine, Floor floor, WorkloadClusterQueries queries) {
        if (MachineView.of(machine).nodeName() != null && !UnhealthyMachine.isFailed(machine)) {
            Step step = queries.kubeconfig() == null
                    ? NO_KUBECONFIG
                    : NodeRemoval.beforeDrain(
                            leaving(observation, machine, floor), queries.etcdForRemoval(), clock.instant());
            if (!(step instanceof Step.Released)) {
                return waiting(step, queries);
            }
        }
        String obstacle = fence.obstacle(observation, machine);
        return obstacle == null ? new Progress.MayDrain() : new Progress.Waiting(obstacle);
    }

    private static String draining(Machine machine) {
        String node = MachineView.of(machine).nodeName();
        return node == null ? "Cluster API has not reached its hook yet" : "Cluster API drains node " + node;
    }

    private Progress remove(
            ControlPlaneObservation observation, Machine machine, Floor floor, WorkloadClusterQueries queries) {
        String kubeconfig = queries.kubeconfig();
        if (kubeconfig == null) {
            return waiting(NO_KUBECONFIG, queries);
        }
        Leaving leaving = leaving(observation, machine, floor);
        Observed<EtcdState> seen = queries.etcdForRemoval();
        Step step = NodeRemoval.next(leaving, seen, clock.instant());
        if (!step.isFinal()) {
            return waiting(step, queries);
        }
        boolean failed = UnhealthyMachine.isFailed(machine);
        if (step.needsHostOff(failed)) {
            Progress powered = powerOff(observation, machine, failed);
            if (!(powered instanceof Progress.Gone)) {
                return powered;
            }
        }
        NodeRemover.Outcome outcome =
                NodeRemover.proceed(kubeconfig, leaving, () -> fence.obstacle(observation, machine), clock);
        queries.etcdChanged();
        return switch (outcome) {
            case NodeRemover.Outcome.Changed changed -> new Progress.Changed(changed.message());
            case NodeRemover.Outcome.Unchanged unchanged ->
                unchanged.step() instanceof Step.Released ? new Progress.Gone() : waiting(unchanged.step(), queries);
        };
    }

    private static Leaving leaving(ControlPlaneObservation observation, Machine machine, Floor floor) {
        return new Leaving(
                NodeIdentity.of(observation, machine),
                NodeIdentity.ofOthers(observation, machine),
                floor.broken(),
                floor.healthy());
    }

    /** Gone once the host is off. */
    private Progress powerOff(ControlPlaneObservation observation, Machine machine, boolean failed) {
        return switch (HostOff.of(
                machine, observation.config(machine.getMetadata().getName()).orElse(null))) {
            case HostOff.Done ignored -> new Progress.Gone();
            case HostOff.NotYet on -> new Progress.Waiting(on.message());
            case HostOff.Unrequested ignored -> {
                String obstacle = fence.obstacle(observation, machine);
                if (obstacle != null) {
                    yield new Progress.Waiting(obstacle);
                }
                boolean unhealthy =
                        failed && !Annotations.has(observation.controlPlane(), Annotations.REUSE_UNHEALTHY_HOSTS);
                applier.patch(sources.machines(), machine, HostOff.request(unhealthy));
                yield new Progress.Changed("its host is powered off first");
            }
        };
    }

    /** Releases the host behind the fence: this cannot be undone either. */
    private Progress fenced(ControlPlaneObservation observation, Machine machine) {
        String obstacle = fence.obstacle(observation, machine);
        return obstacle == null ? new Progress.Gone() : new Progress.Waiting(obstacle);
    }

    private static Progress waiting(Step step, WorkloadClusterQueries queries) {
        return new Progress.Waiting(
                switch (step) {
                    case Step.Wait wait -> wait.message();
                    case Step.Unreachable unreachable ->
                        "the API server of the cluster does not answer (%s); if the cluster is lost for good, set annotation %s on the Machine"
                                .formatted(unreachable.message(), Annotations.SKIP_ETCD_REMOVAL);
                    default -> queries.askingAboutEtcd("asking the cluster about its node and etcd member");
                });
    }

    /** Only these annotations: Cluster API writes the status of a Machine that is being deleted all the time. */
    private void release(Machine machine, List<String> hooks) {
        applier.patch(sources.machines(), machine, DeletionHooks.removal(hooks));
    }

    private static boolean isSkipped(ControlPlaneObservation observation, Machine machine) {
        return DeletionHooks.isSkipped(machine)
                || Annotations.has(observation.controlPlane(), Annotations.SKIP_ETCD_REMOVAL);
    }
}
