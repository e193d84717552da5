package io.capoa.controlplane.workload.health;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes components of a workload cluster's control plane, which have to be well before a host joins or leaves.
 *
 * @param operators ClusterOperators kube-apiserver, kube-controller-manager and kube-scheduler; empty if nothing is known
 * @param apiServers whether the kube-apiserver pod of each control plane Node is ready; an arbiter has none
 */
public record ControlPlaneComponents(List<OperatorHealth> operators, Map<String, Boolean> apiServers) {

    /** Nothing is known. */
    public static final ControlPlaneComponents UNKNOWN = new ControlPlaneComponents(List.of(), Map.of());

    public ControlPlaneComponents {
        operators = List.copyOf(operators);
        apiServers = Map.copyOf(apiServers);
    }

    /**
     * Why no host may join or leave now; {@code null} if one may.
     *
     * @param staying Nodes of the Machines that stay
     * @param leaving Nodes of those that leave; one whose kube-apiserver is not ready explains a degraded operator
     * @param broken whether one of those that leave is known to be broken, which explains it, too
     */
    public @Nullable String obstacle(Collection<String> staying, Collection<String> leaving, boolean broken) {
        if (operators.isEmpty()) {
            return "the components of the control plane are not known";
        }
        String without = without(staying);
        if (!without.isEmpty()) {
            return "kube-apiserver is not ready on Node %s: repair it, or delete its Machine to have it replaced"
                    .formatted(without);
        }
        boolean explained = broken || !without(leaving).isEmpty();
        return operators.stream()
                .filter(operator -> !operator.available() || (operator.degraded() && !explained))
                .map(OperatorHealth::words)
                .findFirst()
                .orElse(null);
    }

    /**
     * Why a broken host must not leave; {@code null} if it may. What it degrades is mended by its leaving, but another
     * kube-apiserver has to serve.
     *
     * @param staying Nodes of the Machines that stay
     */
    public @Nullable String withoutBroken(Collection<String> staying) {
        return staying.isEmpty() || staying.stream().anyMatch(node -> apiServers.getOrDefault(node, false))
                ? null
                : "kube-apiserver is not ready on any other Node: repair it on Node " + without(staying);
    }

    /** Whether all are well on all Nodes. */
    boolean isGood() {
        return obstacle(apiServers.keySet(), Set.of(), false) == null;
    }

    private String without(Collection<String> nodes) {
        Set<String> sorted = new TreeSet<>(nodes);
        return sorted.stream()
                .filter(node -> !apiServers.getOrDefault(node, true))
                .collect(Collectors.joining(", "));
    }
}
