package io.capoa.lab.assisted;

import java.util.List;
import java.util.Set;

/**
 * Inputs of {@link InstallFlow}.
 *
 * @param checks validations of the cluster
 */
record InstallInputs(Requirements requirements, List<HostFacts> hosts, boolean onHold, ClusterChecks checks) {

    static final String MASTER = "master";
    static final String ARBITER = "arbiter";
    static final String WORKER = "worker";

    private static final Set<String> ROLES = Set.of(MASTER, ARBITER, WORKER);

    /** Whether it is the name of a role, and the service does not choose one. */
    static boolean isRole(String role) {
        return ROLES.contains(role);
    }

    /**
     * One host of the cluster.
     *
     * @param role {@code master}, {@code arbiter}, {@code worker}, or anything else to let the service choose
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
        long open = hosts.stream().filter(h -> !isRole(h.role())).count();
        return (int) (fixed + Math.min(open, Math.max(0, requirements.controlPlanes() - fixed)));
    }

    int arbiters() {
        return (int) hosts.stream().filter(h -> h.role().equals(ARBITER)).count();
    }

    int workers() {
        return registered() - masters() - arbiters();
    }

    /** The numbers of hosts by role match the requirements. */
    boolean isExact() {
        return masters() == requirements.controlPlanes()
                && arbiters() == requirements.arbiters()
                && workers() == requirements.workers();
    }

    /** All hosts are valid, and there are enough for the control plane. */
    boolean isSufficient() {
        return masters() >= requirements.controlPlanes()
                && arbiters() >= requirements.arbiters()
                && !hosts.isEmpty()
                && hosts.stream().allMatch(h -> h.state() == HostState.KNOWN);
    }

    /** The numbers of hosts match the requirements exactly, and all are approved. */
    boolean isComplete() {
        return registered() == requirements.total() && approved() == registered() && unsynced() == 0 && isExact();
    }

    boolean hasFailed() {
        long failedMasters = count(MASTER, HostState.ERROR) + count(ARBITER, HostState.ERROR);
        long failedWorkers = count(WORKER, HostState.ERROR);
        return failedMasters > 0 || requirements.workers() - failedWorkers < enoughWorkers();
    }

    /** The control plane is installed, and enough workers for the ingress routers. */
    boolean isEnoughInstalled() {
        return count(MASTER, HostState.INSTALLED) >= requirements.controlPlanes()
                && count(ARBITER, HostState.INSTALLED) >= requirements.arbiters()
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
