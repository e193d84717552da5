package io.capoa.lab.assisted;

import java.util.List;

/**
 * What decides how far an installation may go.
 *
 * @param checks of the cluster as a whole
 */
record InstallInputs(Requirements requirements, List<HostFacts> hosts, boolean onHold, ClusterChecks checks) {

    static final String MASTER = "master";
    static final String WORKER = "worker";

    /**
     * One host of the cluster.
     *
     * @param role {@code master}, {@code worker}, or anything else for whichever is needed
     */
    record HostFacts(String role, HostState state, boolean approved, boolean synced, int percent) {}

    InstallInputs {
        hosts = List.copyOf(hosts);
    }

    int registered() {
        return hosts.size();
    }

    int approved() {
        return (int) hosts.stream().filter(HostFacts::approved).count();
    }

    int unsynced() {
        return (int) hosts.stream().filter(h -> !h.synced()).count();
    }

    /** Hosts that are, or that the service would make, control planes. */
    int masters() {
        long fixed = hosts.stream().filter(h -> h.role().equals(MASTER)).count();
        long open = hosts.stream()
                .filter(h -> !h.role().equals(MASTER) && !h.role().equals(WORKER))
                .count();
        return (int) (fixed + Math.min(open, Math.max(0, requirements.controlPlanes() - fixed)));
    }

    int workers() {
        return registered() - masters();
    }

    /** All hosts are fit and there are enough for the control plane. */
    boolean isSufficient() {
        return masters() >= requirements.controlPlanes()
                && !hosts.isEmpty()
                && hosts.stream().allMatch(h -> h.state() == HostState.KNOWN);
    }

    /** The hosts are exactly those that were asked for, and all may be used. */
    boolean isComplete() {
        return registered() == requirements.total()
                && approved() == registered()
                && unsynced() == 0
                && masters() == requirements.controlPlanes()
                && workers() == requirements.workers();
    }

    boolean hasFailed() {
        long failedMasters = count(MASTER, HostState.ERROR);
        long failedWorkers = count(WORKER, HostState.ERROR);
        return failedMasters > 0 || requirements.workers() - failedWorkers < enoughWorkers();
    }

    /** The control plane runs, and as many workers as an ingress needs. */
    boolean isEnoughInstalled() {
        return count(MASTER, HostState.INSTALLED) >= requirements.controlPlanes()
                && count(WORKER, HostState.INSTALLED) >= enoughWorkers();
    }

    boolean isAllInstalled() {
        return hosts.stream().noneMatch(h -> h.state().isInstalling());
    }

    private int enoughWorkers() {
        return Math.min(2, requirements.workers());
    }

    private long count(String role, HostState state) {
        return hosts.stream()
                .filter(h -> h.role().equals(role) && h.state() == state)
                .count();
    }
}
