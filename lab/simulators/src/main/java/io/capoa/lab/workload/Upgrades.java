package io.capoa.lab.workload;

import io.capoa.lab.controller.Delays;
import io.capoa.lab.upgrade.AvailableUpdates;
import io.capoa.lab.upgrade.ClusterVersionConditions;
import io.capoa.lab.upgrade.ClusterVersionMachine;
import io.capoa.lab.upgrade.ClusterVersionSpec;
import io.capoa.lab.upgrade.Condition;
import io.capoa.lab.upgrade.Observation;
import io.capoa.lab.upgrade.OperatorFault;
import io.capoa.lab.upgrade.Operators;
import io.capoa.lab.upgrade.Pace;
import io.capoa.lab.upgrade.Payload;
import io.capoa.lab.upgrade.Releases;
import io.capoa.lab.upgrade.UpdateGraph;
import io.capoa.lab.upgrade.UpdateState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The cluster-version operator of a workload cluster, with the operators that it updates. It runs after every write and
 * when a step is due; while nothing changes it does nothing.
 */
final class Upgrades {

    /** A kube-apiserver is unreachable for this part of its update or of its node's reboot. */
    static final int BLIP = 4;

    /**
     * What clusters share.
     *
     * @param catalogue the releases that exist
     * @param executor runs the operators
     */
    record Environment(ReleaseCatalogue catalogue, Delays delays, ScheduledExecutorService executor) {

        Pace pace() {
            return new Pace(
                    delays.get(Delays.Of.PAYLOAD),
                    delays.get(Delays.Of.OPERATOR),
                    delays.get(Delays.Of.PATIENCE),
                    delays.get(Delays.Of.DRAIN),
                    delays.get(Delays.Of.REBOOT));
        }
    }

    private final Workload workload;
    private final ReleaseCatalogue catalogue;
    private final Pace pace;
    private final Duration inertia;
    private final PoolOperator pools;
    private final ClusterBlockers blockers;
    private final UpgradeTimer timer;
    private UpdateState state;
    private ReleaseVersions release;
    private String apiServer;
    /** Whether the end of the update is left to {@link #complete}. */
    private boolean manual;

    /** Creates the objects of a cluster that is being installed. */
    Upgrades(Workload workload, ReleaseVersions release, Environment environment) {
        this.workload = workload;
        this.catalogue = environment.catalogue();
        this.pace = environment.pace();
        this.inertia = environment.delays().get(Delays.Of.INERTIA);
        this.release =
                new ReleaseVersions(catalogue.byDigest(release.image()), release.version(), release.kubernetes());
        this.apiServer = release.kubernetes();
        this.state = UpdateState.installing(payload(), Instant.now());
        ObjectStore store = workload.store();
        store.create(Resource.CLUSTER_VERSIONS.path(), ClusterVersionObject.of(workload.id(), release.version()));
        Operators.IN_ORDER.forEach(
                name -> store.create(Resource.CLUSTER_OPERATORS.path(), ClusterOperatorObject.of(name)));
        ClusterBlockers.configMaps().forEach(object -> store.create(Resource.CONFIG_MAPS.path(), object));
        this.pools = new PoolOperator(workload, pace, this.release);
        this.blockers = new ClusterBlockers(store);
        this.timer = new UpgradeTimer(environment.executor(), this::settle);
        settle();
    }

    /** The release that the cluster runs, or is being updated to. */
    synchronized ReleaseVersions release() {
        return release;
    }

    /** Version of Kubernetes that the API reports. */
    synchronized String apiServerVersion() {
        return apiServer;
    }

    /** The pool of a role that only some clusters have. */
    synchronized void addPool(String role) {
        pools.add(role);
    }

    synchronized String kubeletVersion(String machine, String pool) {
        return pools.kubeletVersion(machine, pool);
    }

    /** Runs the operators in the background, as after every write to the API. */
    void settleSoon() {
        timer.soon();
    }

    /** Applies a release regardless of the spec, until {@link #complete}. */
    synchronized void start(ReleaseVersions to) {
        manual = true;
        release = to;
        state = state.accept(payload(), false, "", Instant.now());
        settle();
    }

    /** The release is applied at once. */
    synchronized void complete() {
        manual = false;
        state = state.applied(Instant.now());
        apiServer = release.kubernetes();
        pools.render(release);
        settle();
    }

    private Payload payload() {
        return new Payload(release.version(), release.image());
    }

    private synchronized void settle() {
        Map<String, Object> version = workload.store().get(Resource.CLUSTER_VERSIONS.path(), ClusterVersionObject.NAME);
        Optional<Instant> due = Optional.empty();
        boolean changed = version != null;
        while (changed && version != null) {
            Instant now = Instant.now();
            Optional<Instant> poolsDue = pools.settle(now);
            ClusterVersionSpec spec = ClusterVersionObject.spec(version);
            Observation seen = observe(version, spec, now);
            ClusterVersionMachine.Next next = manual
                    ? new ClusterVersionMachine.Next(state, Optional.empty())
                    : ClusterVersionMachine.next(state, seen, pace, now);
            changed = !next.state().equals(state);
            if (changed) {
                enter(next.state());
                seen = observe(version, spec, now);
            }
            OperatorReport etcd = etcd(now);
            publish(seen, etcd, now);
            due = earliest(etcd.due(), earliest(poolsDue, next.due()));
        }
        timer.at(due);
    }

    private void enter(UpdateState next) {
        boolean accepted = !next.desired().equals(state.desired());
        state = next;
        if (accepted) {
            release = catalogue.of(next.desired().image());
        }
        String operator = next.rollout().map(rollout -> rollout.operator()).orElse("");
        if (operator.equals(Operators.MACHINE_CONFIG)) {
            pools.render(release);
        } else if (operator.equals(Operators.KUBE_APISERVER)) {
            workload.interrupt(pace.operator().dividedBy(BLIP));
        }
        if (release.version().equals(next.versions().get(Operators.KUBE_APISERVER))) {
            apiServer = release.kubernetes();
        }
    }

    private Observation observe(Map<String, Object> version, ClusterVersionSpec spec, Instant now) {
        Map<String, OperatorFault> faults = new HashMap<>();
        for (Map<String, Object> operator :
                workload.store().list(Resource.CLUSTER_OPERATORS.path()).items()) {
            faults.put(ObjectStore.name(operator), UpgradeFaults.of(operator));
        }
        Observation.Pools poolState = pools.state(release, now);
        return new Observation(
                spec,
                updates(version, spec),
                releases(UpgradeFaults.unsigned(version)),
                faults,
                blockers.ofCluster(state.desired().version(), operatorBlockers(poolState)),
                UpgradeFaults.isHeld(version),
                poolState);
    }

    private Map<String, Condition> operatorBlockers(Observation.Pools poolState) {
        return blockers.byOperator(state.desired().version(), apiServer, poolState);
    }

    private AvailableUpdates updates(Map<String, Object> version, ClusterVersionSpec spec) {
        if (state.isInstalling()) {
            return AvailableUpdates.none(Condition.unknown("RetrievedUpdates", "", ""));
        }
        boolean reachable = !"unreachable".equals(UpgradeFaults.annotation(version, UpgradeFaults.UPSTREAM));
        return new UpdateGraph(
                        reachable,
                        UpgradeFaults.risks(version),
                        wanted -> catalogue.image(wanted, state.desired().image()))
                .updates(spec, state.desired().version());
    }

    private Releases releases(Set<String> unsigned) {
        return new Releases() {
            @Override
            public Optional<String> versionIn(String image) {
                return catalogue.in(image).map(ReleaseVersions::version);
            }

            @Override
            public boolean isSigned(Payload payload) {
                return versionIn(payload.image())
                        .filter(version -> !unsigned.contains(version))
                        .isPresent();
            }
        };
    }

    /** Of the other operators, the conditions are not simulated. */
    private OperatorReport etcd(Instant now) {
        Map<String, Object> operator = workload.store().get(Resource.ETCDS.path(), "cluster");
        return operator == null ? OperatorReport.NONE : OperatorReport.of(operator, inertia, now);
    }

    private void publish(Observation seen, OperatorReport etcd, Instant now) {
        // The operator's sync blocks while it retrieves (Update in its sync_worker.go), and writes the status
        // afterwards.
        if (!state.isRetrieving()) {
            List<Condition> conditions = ClusterVersionConditions.of(state, seen, pace, now);
            workload.change(
                    Resource.CLUSTER_VERSIONS,
                    ClusterVersionObject.NAME,
                    stored -> ClusterVersionObject.write(stored, state, seen.updates(), conditions));
        }
        Map<String, Condition> notUpgradeable = operatorBlockers(seen.pools());
        for (String operator : Operators.IN_ORDER) {
            workload.change(
                    Resource.CLUSTER_OPERATORS,
                    operator,
                    stored -> ClusterOperatorObject.write(
                            stored,
                            state,
                            seen.faultOf(operator),
                            operator.equals(Operators.ETCD) ? etcd : OperatorReport.NONE,
                            Optional.ofNullable(notUpgradeable.get(operator))));
        }
    }

    private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
    }
}
