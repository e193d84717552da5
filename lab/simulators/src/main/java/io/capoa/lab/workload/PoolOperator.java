package io.capoa.lab.workload;

import io.capoa.lab.upgrade.Observation.Pools;
import io.capoa.lab.upgrade.Pace;
import io.capoa.lab.upgrade.Pool;
import io.capoa.lab.upgrade.PoolMachine;
import io.capoa.lab.upgrade.PoolNode;
import io.capoa.lab.upgrade.PoolNode.Phase;
import io.capoa.lab.upgrade.PoolStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The machine-config operator of a cluster: its pools, and the configuration of its Nodes. */
final class PoolOperator {

    private final Workload workload;
    private final Pace pace;
    /** Version of the kubelet by configuration. */
    private final Map<String, String> kubelets = new HashMap<>();

    private final Map<String, Instant> since = new HashMap<>();
    private ReleaseVersions target;

    /** Creates the pools of a cluster with that release. */
    PoolOperator(Workload workload, Pace pace, ReleaseVersions release) {
        this.workload = workload;
        this.pace = pace;
        this.target = release;
        for (String name : List.of(PoolObject.MASTER, PoolObject.WORKER)) {
            workload.store().create(Resource.MACHINE_CONFIG_POOLS.path(), PoolObject.of(name));
        }
    }

    /** Creates a pool unless it exists. */
    void add(String name) {
        if (workload.store().get(Resource.MACHINE_CONFIG_POOLS.path(), name) == null) {
            workload.store().create(Resource.MACHINE_CONFIG_POOLS.path(), PoolObject.of(name));
        }
    }

    /** Renders the configurations of a release: every pool starts to update its nodes. */
    void render(ReleaseVersions release) {
        target = release;
    }

    /** Makes all steps that are due; returns when the next one is. */
    Optional<Instant> settle(Instant now) {
        Optional<Instant> due;
        boolean changed;
        do {
            due = Optional.empty();
            changed = false;
            for (Map<String, Object> object : pools()) {
                Pool pool = request(object);
                PoolMachine.Next next = PoolMachine.next(pool, nodes(pool, now), pace, now);
                next.steps().forEach(step -> enter(pool, step, now));
                changed |= !next.steps().isEmpty();
                due = earliest(due, next.due());
                PoolStatus status = PoolStatus.of(pool, nodes(pool, now));
                workload.change(
                        Resource.MACHINE_CONFIG_POOLS, pool.name(), stored -> PoolObject.write(stored, pool, status));
            }
        } while (changed);
        return due;
    }

    /** What machine-config waits for until the release is on all required nodes. */
    Pools state(ReleaseVersions release, Instant now) {
        Pools state = release.equals(target) ? Pools.UPDATED : Pools.UPDATING;
        for (Map<String, Object> object : pools()) {
            Pool pool = PoolObject.read(object);
            PoolStatus status = PoolStatus.of(pool, nodes(pool, now));
            if (status.degraded() > 0) {
                return Pools.DEGRADED;
            }
            if (PoolObject.isRequired(object) && !status.isUpdated()) {
                state = pool.paused() || pool.held() ? Pools.STUCK : Pools.UPDATING;
            }
        }
        return state;
    }

    /** Version of the kubelet on a machine: that of its Node's configuration, else of its pool's. */
    String kubeletVersion(String machine, String pool) {
        Map<String, Object> node = workload.store().get(Resource.NODES.path(), machine);
        if (node != null && PoolNodeObject.isKnown(node)) {
            return kubelets.getOrDefault(PoolNodeObject.currentConfig(node), target.kubernetes());
        }
        Map<String, Object> object = workload.store().get(Resource.MACHINE_CONFIG_POOLS.path(), pool);
        String applied = object == null ? null : PoolObject.applied(object);
        return applied == null ? target.kubernetes() : kubelets.getOrDefault(applied, target.kubernetes());
    }

    private Pool request(Map<String, Object> object) {
        String name = ObjectStore.name(object);
        String config = PoolObject.config(name, target.image() + UpgradeFaults.machineConfig(object));
        kubelets.put(config, target.kubernetes());
        workload.change(Resource.MACHINE_CONFIG_POOLS, name, stored -> PoolObject.request(stored, config));
        return PoolObject.read(PoolObject.request(Json.copy(object), config));
    }

    private List<PoolNode> nodes(Pool pool, Instant now) {
        List<Map<String, Object>> pools = pools();
        return workload.store().list(Resource.NODES.path()).items().stream()
                .filter(node -> PoolObject.poolOf(node, pools)
                        .filter(pool.name()::equals)
                        .isPresent())
                .map(node -> PoolNodeObject.isKnown(node) ? node : join(node, pool))
                .map(node -> PoolNodeObject.read(
                        node,
                        since.getOrDefault(ObjectStore.name(node), now),
                        workload.isPoweredOff(ObjectStore.name(node))))
                .toList();
    }

    private Map<String, Object> join(Map<String, Object> node, Pool pool) {
        Map<String, Object> object = workload.store().get(Resource.MACHINE_CONFIG_POOLS.path(), pool.name());
        String applied = object == null ? null : PoolObject.applied(object);
        String config = applied == null ? pool.target() : applied;
        workload.change(Resource.NODES, ObjectStore.name(node), stored -> PoolNodeObject.join(stored, config));
        return PoolNodeObject.join(Json.copy(node), config);
    }

    private void enter(Pool pool, PoolMachine.Step step, Instant now) {
        since.put(step.node(), now);
        if (step.phase() == Phase.DONE) {
            workload.rebooted(step.node());
            since.remove(step.node());
        }
        workload.change(
                Resource.NODES,
                step.node(),
                stored -> PoolNodeObject.enter(
                        stored, step, kubelets.getOrDefault(step.config(), target.kubernetes()), pool.failure()));
        if (step.phase() == Phase.REBOOTING) {
            workload.reboot(step.node(), pace.reboot());
        }
    }

    private List<Map<String, Object>> pools() {
        return workload.store().list(Resource.MACHINE_CONFIG_POOLS.path()).items();
    }

    private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
    }
}
