package io.capoa.controlplane.controlplane;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.PreTerminateHook;
import io.capoa.controlplane.machines.ScaleDown;
import io.capoa.controlplane.workload.Departure;
import io.capoa.runtime.write.Applier;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets Machines go: chooses one that is too many, and releases the hosts of those that have left the cluster. */
final class ScaleDownStep {

    /** Reason of the Event that tells of a Machine's deletion. */
    static final String DELETING_MACHINE = "DeletingMachine";

    /**
     * What is waited for.
     *
     * @param message {@code null} where nothing is in the way
     * @param chosen the Machine whose deletion was asked for now
     */
    record Outcome(@Nullable String message, @Nullable Machine chosen) {}

    private final ControlPlaneSources sources;
    private final Applier applier;

    ScaleDownStep(ControlPlaneSources sources, Applier applier) {
        this.sources = sources;
        this.applier = applier;
    }

    Outcome apply(ControlPlaneObservation observation, Questions questions) {
        String departure = depart(observation, questions);
        ScaleDown.Decision decision = decide(observation, questions);
        return switch (decision) {
            case ScaleDown.Decision.None ignored -> new Outcome(departure, null);
            case ScaleDown.Decision.Wait wait -> new Outcome(departure == null ? wait.message() : departure, null);
            case ScaleDown.Decision.Ask ignored -> new Outcome("the cluster is asked whether etcd is healthy", null);
            case ScaleDown.Decision.Delete delete -> {
                applier.delete(delete.machine());
                yield new Outcome(departure, delete.machine());
            }
        };
    }

    private static ScaleDown.Decision decide(ControlPlaneObservation observation, Questions questions) {
        Integer replicas = observation.controlPlane().getSpec().replicas();
        ScaleDown.Stage stage = observation.stage();
        ScaleDown.Decision decision = ScaleDown.decide(replicas, observation.machines(), stage, null);
        return decision instanceof ScaleDown.Decision.Ask
                ? ScaleDown.decide(
                        replicas,
                        observation.machines(),
                        stage,
                        questions.etcd(observation.machines().size()))
                : decision;
    }

    /** One after the other, the one first that has waited longest; what it waits for, if it does. */
    private @Nullable String depart(ControlPlaneObservation observation, Questions questions) {
        List<Machine> going = observation.machines().stream()
                .filter(machine -> machine.getMetadata().getDeletionTimestamp() != null)
                .filter(PreTerminateHook::isOn)
                .sorted(Comparator.comparing((Machine machine) ->
                                Objects.requireNonNull(machine.getMetadata().getDeletionTimestamp()))
                        .thenComparing(machine -> machine.getMetadata().getName()))
                .toList();
        for (Machine machine : going) {
            String obstacle = obstacle(observation, machine, questions);
            if (obstacle != null) {
                return "Machine " + machine.getMetadata().getName() + ": " + obstacle;
            }
            applier.patch(sources.machines, machine, PreTerminateHook.removal());
        }
        return null;
    }

    private static @Nullable String obstacle(
            ControlPlaneObservation observation, Machine machine, Questions questions) {
        String node = Fields.string(machine, "status", "nodeRef", "name");
        if (node == null || !observation.hasEtcd() || isSkipped(observation, machine)) {
            return null;
        }
        if (!PreTerminateHook.isReached(machine)) {
            return "Cluster API drains node " + node;
        }
        List<String> others = PreTerminateHook.ofOthers(machine);
        if (!others.isEmpty()) {
            return "others hold it by " + String.join(", ", others);
        }
        Optional<Departure> departure = questions.depart(
                machine.getMetadata().getName(),
                node,
                addresses(machine),
                ScaleDown.majority(observation.controlPlane().getSpec().replicas()));
        if (departure.isEmpty()) {
            return "node " + node + " is taken out of the cluster";
        }
        return switch (departure.get()) {
            case Departure.Gone ignored -> null;
            case Departure.Wait wait -> wait.message();
            case Departure.Unreachable unreachable ->
                "the API of the cluster does not answer (%s); if it is lost for good, set annotation %s on the Machine"
                        .formatted(unreachable.message(), Annotations.SKIP_ETCD_REMOVAL);
        };
    }

    private static boolean isSkipped(ControlPlaneObservation observation, Machine machine) {
        var annotations = observation.controlPlane().getMetadata().getAnnotations();
        return PreTerminateHook.isSkipped(machine)
                || (annotations != null && annotations.containsKey(Annotations.SKIP_ETCD_REMOVAL));
    }

    private static List<String> addresses(Machine machine) {
        return Fields.list(machine, "status", "addresses").stream()
                .filter(address -> "InternalIP".equals(Fields.any(address, "type")))
                .map(address -> String.valueOf(Fields.any(address, "address")))
                .toList();
    }
}
