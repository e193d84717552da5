package io.capoa.lab.host;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The service's install instruction. The simulated service includes stages, hostname and node labels; the real one does
 * not: there the installer knows the stages, the hostname is in the ignition of the installed system or is the host's
 * own, and the controller in the new cluster labels the Nodes.
 *
 * @param toReboot stages up to and including the reboot
 * @param afterReboot stages that are reported after the reboot
 * @param namesStages whether the instruction contains stages; else they are the usual ones
 * @param hostname hostname in the instruction, or {@code null}
 * @param labels labels of the Node
 * @param addedLater whether the host joins a running cluster
 */
record InstallOrder(
        List<String> toReboot,
        List<String> afterReboot,
        boolean namesStages,
        @Nullable String hostname,
        Map<?, ?> labels,
        boolean addedLater) {

    static final String REBOOTING = "Rebooting";

    private static final List<String> USUAL = List.of(
            "Starting installation", "Installing", "Writing image to disk", REBOOTING, "Configuring", "Joined", "Done");

    /** Reads the arguments of the step {@code install}. */
    static InstallOrder of(Map<String, Object> order) throws Refused {
        List<String> stages = order.get("stages") instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : USUAL;
        int reboot = stages.indexOf(REBOOTING);
        if (reboot < 0) {
            throw new Refused("the install instruction has no reboot");
        }
        return new InstallOrder(
                stages.subList(0, reboot + 1),
                stages.subList(reboot + 1, stages.size()),
                order.containsKey("stages"),
                order.get("host_name") instanceof String name && !name.isBlank() ? name : null,
                order.get("node_labels") instanceof Map<?, ?> labels ? labels : Map.of(),
                Boolean.TRUE.equals(order.get("day2")));
    }
}
