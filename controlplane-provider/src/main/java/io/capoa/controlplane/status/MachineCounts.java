package io.capoa.controlplane.status;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.machines.UpToDate;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * State of the control plane's Machines.
 *
 * @param all number of Machines, including those being deleted
 * @param ready Machines whose condition Ready is True
 * @param available Machines whose condition Available is True
 * @param differences from the spec, by name of each Machine that is not up to date
 * @param outdated how many of these a rollout replaces: of one without its config nothing tells what it was installed with
 * @param notReady Machines that are not ready, by name
 * @param deleting names of Machines that are being deleted, sorted
 */
record MachineCounts(
        int all,
        int ready,
        int available,
        SortedMap<String, List<String>> differences,
        int outdated,
        List<Machine> notReady,
        List<String> deleting) {

    static MachineCounts of(ControlPlaneObservation observation, Instant now) {
        List<Machine> machines = observation.machines();
        SortedMap<String, List<String>> differences = new TreeMap<>();
        int outdated = 0;
        for (Machine machine : machines) {
            String name = machine.getMetadata().getName();
            List<String> found = UpToDate.differences(
                    observation.identity(),
                    machine,
                    observation.config(name).orElse(null),
                    observation.infrastructureMachine(name),
                    now);
            if (!found.isEmpty()) {
                differences.put(name, found);
                outdated += observation.config(name).isPresent() ? 1 : 0;
            }
        }
        return new MachineCounts(
                machines.size(),
                count(machines, MachineView.READY),
                count(machines, "Available"),
                differences,
                outdated,
                machines.stream()
                        .filter(machine -> !MachineView.of(machine).isReady())
                        .toList(),
                machines.stream()
                        .filter(machine -> machine.getMetadata().getDeletionTimestamp() != null)
                        .map(machine -> machine.getMetadata().getName())
                        .toList());
    }

    int upToDate() {
        return all - differences.size();
    }

    /** A line for each Machine that is not ready, with the message of its condition. */
    String notReadyLines() {
        return notReady.stream()
                .map(machine -> "\n* Machine " + machine.getMetadata().getName() + ": "
                        + MachineView.of(machine)
                                .condition(MachineView.READY)
                                .map(ready -> ready.message().isEmpty() ? ready.reason() : ready.message())
                                .map(message -> message.replace("\n", "; "))
                                .orElse("no condition Ready yet"))
                .collect(Collectors.joining());
    }

    private static int count(List<Machine> machines, String condition) {
        return (int) machines.stream()
                .filter(machine -> MachineView.of(machine).isTrue(condition))
                .count();
    }
}
