package io.capoa.lab.assisted;

import java.util.List;

/**
 * Inputs of {@link InstallFlow}.
 *
 * @param checks validations of the cluster
 */
record InstallInputs(Requirements requirements, List<HostFacts> hosts, boolean onHold, ClusterChecks checks) {

    static final String MASTER = "master";
    static final String WORKER = "worker";

    /**
     * One host of the cluster.
     *
     * @param role {@code master}, {@code worker}, or anything else to let the service choose
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

    /** Number of hosts that are, or would be chosen as, control planes. */
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

    /** All hosts are valid, and there are enough for the control plane. */
    boolean isSufficient() {
        return masters() >= requirements.controlPlanes()
                && !hosts.isEmpty()
                && hosts.stream().allMatch(h -> h.state() == HostState.KNOWN);
    }

    /** The numbers of hosts match the requirements exactly, and all are approved. */
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

    /** The control plane is installed, and enough workers for the ingress routers. */
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
