package io.capoa.controlplane.upgrade;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's answer to what an upgrade needs to know.
 *
 * @param failure why the cluster did not answer; empty if it did
 * @param version {@code null} if the cluster did not answer or has none yet
 * @param pools MachineConfigPools by name
 * @param operators progress of the ClusterOperators; zero while the cluster runs the wanted release
 * @param gates empty while the cluster runs the wanted release
 */
public record ClusterUpgradeState(
        String failure,
        @Nullable ClusterVersionState version,
        List<PoolState> pools,
        Operators operators,
        AdminGates gates) {

    /** How many ClusterOperators report the desired version. */
    public record Operators(int updated, int all) {}

    public ClusterUpgradeState {
        pools = List.copyOf(pools);
    }

    public static ClusterUpgradeState unreachable(String failure) {
        return new ClusterUpgradeState(
                failure, null, List.of(), new Operators(0, 0), new AdminGates(new TreeMap<>(), Set.of()));
    }

    /** The state of a cluster of which only the ClusterVersion and the pools were read. */
    public static ClusterUpgradeState of(@Nullable ClusterVersionState version, List<PoolState> pools) {
        return new ClusterUpgradeState(
                "", version, pools, new Operators(0, 0), new AdminGates(new TreeMap<>(), Set.of()));
    }

    /** Whether nothing changes: the cluster runs the release, with the same configuration on the nodes of each pool. */
    public boolean isSettled(String target) {
        return isAtRest(target) && !isMoving() && unsettled().isEmpty();
    }

    /** Pools whose nodes are still being updated; not those that are paused. */
    List<PoolState> unsettled() {
        return pools.stream().filter(pool -> !pool.settled() && !pool.paused()).toList();
    }

    /** How far the nodes are that are being updated, whatever for; empty if none is. */
    String updatingNodes() {
        return unsettled().stream().map(PoolState::progress).collect(Collectors.joining(", "));
    }

    /** Whether the cluster is on its way to another release, from the request on; not while it refuses the release. */
    public boolean isMoving() {
        return version != null && (version.isMoving() || version.isChecking());
    }

    /** Whether the cluster runs the release, and does not move. */
    public boolean isAtRest(String target) {
        return version != null
                && !version.isMoving()
                && version.running()
                        .filter(release -> release.version().equals(target))
                        .isPresent();
    }
}
