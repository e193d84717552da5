package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.CloudProvider;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The cloud controller manager of a workload cluster, and its Nodes.
 *
 * @param failure why the cluster's API did not answer; empty if it did
 * @param components Deployments and DaemonSets of its namespace, by name
 * @param uninitialized names of Nodes with its taint, in order
 * @param nodes number of all Nodes
 */
public record CloudControllerState(
        String failure, List<CloudComponent> components, List<String> uninitialized, int nodes) {

    private static final int NAMED_NODES = 3;

    public CloudControllerState {
        components = List.copyOf(components);
        uninitialized = List.copyOf(uninitialized);
    }

    public static CloudControllerState unreachable(String failure) {
        return new CloudControllerState(failure, List.of(), List.of(), 0);
    }

    public boolean reached() {
        return failure.isEmpty();
    }

    /** Whether every component runs and every Node is initialized. */
    public boolean isReady() {
        return reached() && problem().isEmpty() && uninitialized.isEmpty() && !components.isEmpty();
    }

    /** What keeps components from running; empty if all run. */
    public Optional<String> problem() {
        String lines = components.stream()
                .filter(component -> !component.isAvailable())
                .map(CloudComponent::words)
                .collect(Collectors.joining("; "));
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines);
    }

    /** Which Nodes wait; empty if none does. */
    public Optional<String> waitingNodes() {
        if (uninitialized.isEmpty()) {
            return Optional.empty();
        }
        String names = String.join(", ", uninitialized.subList(0, Math.min(NAMED_NODES, uninitialized.size())));
        int more = uninitialized.size() - NAMED_NODES;
        return Optional.of("%d of %d Nodes have taint %s, so that no other pods run there: %s%s"
                .formatted(
                        uninitialized.size(),
                        nodes,
                        CloudProvider.TAINT,
                        names,
                        more > 0 ? " and %d more".formatted(more) : ""));
    }
}
