package io.capoa.lab.host;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the service's order to install asks of a host. The simulated service names stages, hostname and node labels in it;
 * the real one does not: there the installer knows the stages, the hostname lies in the ignition of the installed system
 * or is the host's own, and the controller in the new cluster labels the nodes.
 *
 * @param toReboot stages up to and with the reboot
 * @param afterReboot stages that are reported for the host after its reboot
 * @param namesStages whether the order named them, else they are the usual ones
 * @param hostname that the order names, {@code null} if it names none
 * @param labels of the host's node
 * @param addedLater whether the host joins a cluster that runs
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
            throw new Refused("it was told to install without a reboot");
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
