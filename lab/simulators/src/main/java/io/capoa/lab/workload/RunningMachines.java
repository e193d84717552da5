package io.capoa.lab.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The machines of a cluster as they run, and the node controller, which notices that a kubelet is silent. */
final class RunningMachines {

    /** Types of the conditions that a kubelet reports. */
    private static final List<String> NODE_CONDITIONS =
            List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private final Workload workload;
    private final Duration grace;
    private final ScheduledExecutorService timer;
    private final Set<String> controlPlanes = new HashSet<>();
    private final Set<String> arbiters = new HashSet<>();
    private final Set<String> rebooting = new HashSet<>();
    /** Machines without power, and since when. */
    private final Map<String, Instant> off = new HashMap<>();

    /**
     * @param grace time after which the node controller marks the Node of a silent kubelet
     * @param timer runs the node controller
     */
    RunningMachines(Workload workload, Duration grace, ScheduledExecutorService timer) {
        this.workload = workload;
        this.grace = grace;
        this.timer = timer;
    }

    /** Whether a control-plane machine serves the API. */
    synchronized boolean serveApi() {
        return !rebooting.containsAll(controlPlanes);
    }

    /** Whether a machine with a member of etcd is powered on, and does not reboot. */
    synchronized boolean runs(String machine) {
        return (controlPlanes.contains(machine) || arbiters.contains(machine)) && !rebooting.contains(machine);
    }

    synchronized boolean isOff(String machine) {
        return off.containsKey(machine);
    }

    synchronized void on(String machine, String role) {
        off.remove(machine);
        if (role.equals(PoolObject.MASTER)) {
            controlPlanes.add(machine);
        } else if (role.equals(PoolObject.ARBITER)) {
            arbiters.add(machine);
        }
    }

    /** The machine stops without notice: its Node stays as it is until the grace period is over. */
    void off(String machine) {
        Instant since = Instant.now();
        synchronized (this) {
            off.put(machine, since);
            controlPlanes.remove(machine);
            arbiters.remove(machine);
        }
        if (grace.isZero()) {
            lost(machine);
        } else {
            var unused = timer.schedule(() -> silent(machine, since), grace.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void silent(String machine, Instant since) {
        boolean still;
        synchronized (this) {
            still = since.equals(off.get(machine));
        }
        if (still) {
            lost(machine);
            workload.nodesChanged();
        }
    }

    /** The machine shuts down for a reboot; returns whether it ran a control plane until then. */
    boolean shutDown(String machine) {
        boolean controlPlane;
        synchronized (this) {
            controlPlane = runs(machine);
            rebooting.add(machine);
        }
        lost(machine);
        return controlPlane;
    }

    synchronized void rebooted(String machine) {
        rebooting.remove(machine);
    }

    private void lost(String machine) {
        workload.change(Resource.NODES, machine, node -> {
            List<Map<String, Object>> conditions = NODE_CONDITIONS.stream()
                    .map(type -> ReleaseStatus.condition(
                            type, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status."))
                    .toList();
            Json.merge(node, Map.of("status", Map.of("conditions", conditions)));
            return node;
        });
    }
}
