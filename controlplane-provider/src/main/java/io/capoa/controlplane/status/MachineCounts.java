package io.capoa.controlplane.status;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.status.ReportedCause;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * State of the control plane's Machines.
 *
 * @param all number of Machines, including those being deleted
 * @param ready Machines whose condition Ready is True
 * @param available Machines whose condition Available is True
 * @param differences from the spec, by name of each Machine that is not up to date
 * @param outdated how many of these a rollout replaces: of one without its config nothing tells what it was installed with
 * @param notReady Machines that are not ready
 * @param deleting names of Machines that are being deleted, sorted
 */
record MachineCounts(
        int all,
        int ready,
        int available,
        SortedMap<String, List<String>> differences,
        int outdated,
        Machines notReady,
        SortedSet<String> deleting) {

    private static final Pattern BULLET = Pattern.compile("(?m)^\\* ");

    static MachineCounts of(ControlPlaneObservation observation, Instant now) {
        Machines machines = observation.machines();
        Machines notReady = machines.unready();
        SortedMap<String, List<String>> differences = observation.differences(now);
        return new MachineCounts(
                machines.size(),
                machines.size() - notReady.size(),
                machines.filter(machine -> MachineView.of(machine).isTrue("Available"))
                        .size(),
                differences,
                (int) differences.keySet().stream()
                        .filter(name -> observation.config(name).isPresent())
                        .count(),
                notReady,
                machines.deleting().names());
    }

    int upToDate() {
        return all - differences.size();
    }

    /**
     * The Machines that are not ready with the messages of their conditions, and what to do about a Node that is lost; in
     * one line, because kubectl shows no other.
     */
    String notReadyMachines() {
        return notReady.stream()
                .map(machine -> "; Machine " + machine.getMetadata().getName() + ": "
                        + MachineView.of(machine)
                                .condition(MachineView.READY)
                                .map(ready -> ready.message().isEmpty() ? ready.reason() : ready.message())
                                .map(message -> ReportedCause.of(
                                        BULLET.matcher(message).replaceAll("").replace("\n", "; ")))
                                .orElse("no condition Ready yet")
                        + remedy(machine))
                .collect(Collectors.joining());
    }

    private static String remedy(Machine machine) {
        boolean hadNode = MachineView.of(machine).nodeName() != null;
        return hadNode && !machine.isMarkedForDeletion() ? ": check its host" : "";
    }
}
