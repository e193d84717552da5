package io.capoa.controlplane.upgrade;

import io.capoa.api.contract.ConditionView;
import io.capoa.controlplane.upgrade.ClusterUpgradeState.Operators;
import io.capoa.lab.upgrade.AdminAcks;
import io.capoa.lab.upgrade.AvailableUpdates;
import io.capoa.lab.upgrade.ClusterVersionConditions;
import io.capoa.lab.upgrade.ClusterVersionMachine;
import io.capoa.lab.upgrade.ClusterVersionSpec;
import io.capoa.lab.upgrade.Condition;
import io.capoa.lab.upgrade.Observation;
import io.capoa.lab.upgrade.OperatorFault;
import io.capoa.lab.upgrade.Pace;
import io.capoa.lab.upgrade.Payload;
import io.capoa.lab.upgrade.Releases;
import io.capoa.lab.upgrade.UpdateGraph;
import io.capoa.lab.upgrade.UpdateRequest;
import io.capoa.lab.upgrade.UpdateState;
import io.capoa.lab.upgrade.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A cluster with the lab's cluster-version operator, in a time of its own; writes as clients of its API see them. */
final class UpgradeWorld {

    /** A gate of the next minor version after 4.20. */
    static final String GATE = "ack-4.20-apis-removed-in-4.21";

    private static final Pace PACE = new Pace(
            Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ZERO, Duration.ZERO);
    private static final String ID = "8f9a3c52-3c4d-4e0b-9a53-0b8a5a9f7c11";

    /** Status of the ClusterVersion as it was written last. */
    private record Status(
            int generation, Payload desired, List<ClusterVersionState.Past> history, List<Condition> conditions) {}

    final Set<String> unsigned = new HashSet<>();
    final Map<String, OperatorFault> faults = new HashMap<>();
    final SortedMap<String, String> gates = new TreeMap<>();
    final Set<String> acknowledged = new HashSet<>();
    Observation.Pools pools = Observation.Pools.UPDATED;
    boolean masterPaused;
    boolean workerPaused;
    /** Whether the pause of the workers is the provider's. */
    boolean workerHeld;

    boolean held;
    String channel = "stable-4.20";
    Optional<UpdateRequest> desiredUpdate = Optional.empty();
    /** The provider's mark; empty for none. */
    private String mark = "";

    private int generation = 1;
    private Optional<Instant> due = Optional.empty();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private UpdateState state =
            UpdateState.installing(new Payload("4.20.3", image("4.20.3")), now).applied(now);
    private Status status = written();

    static String image(String version) {
        return "quay.io/ocp@sha256:" + version;
    }

    /** What the cluster runs or moves to. */
    String desired() {
        return state.desired().version();
    }

    /** What the cluster runs, and whether it moves to another release. */
    String runs() {
        return view().version().running().orElseThrow().version();
    }

    int completed() {
        return (int) state.history().stream().filter(entry -> entry.applied()).count();
    }

    void request(Optional<UpdateRequest> update) {
        desiredUpdate = update;
        generation++;
        settle();
    }

    /** A request of the provider, or its withdrawal, which its mark is written with. */
    void request(Optional<UpdateRequest> update, String ownMark) {
        mark = ownMark;
        request(update);
    }

    void channel(String name) {
        channel = name;
        generation++;
        settle();
    }

    void pass(int seconds) {
        Instant end = now.plusSeconds(seconds);
        while (due.isPresent() && !due.get().isAfter(end)) {
            now = due.get();
            settle();
        }
        now = end;
        settle();
    }

    /** Nothing is in the way of an upgrade. */
    void heal() {
        unsigned.clear();
        faults.clear();
        pools = Observation.Pools.UPDATED;
        masterPaused = false;
        held = false;
        settle();
    }

    /** Makes all transitions that are due; the operator writes no status while it retrieves a release. */
    void settle() {
        ClusterVersionMachine.Next next = ClusterVersionMachine.next(state, observation(), PACE, now);
        while (!next.state().equals(state)) {
            state = next.state();
            next = ClusterVersionMachine.next(state, observation(), PACE, now);
        }
        due = next.due();
        if (!state.isRetrieving()) {
            status = written();
        }
    }

    /** What a client reads now. */
    ClusterUpgradeState view() {
        SortedMap<String, ConditionView> conditions = new TreeMap<>();
        status.conditions()
                .forEach(one -> conditions.put(
                        one.type(), new ConditionView(one.type(), one.status(), one.reason(), one.message())));
        ReleaseName requested = desiredUpdate
                .map(update -> new ReleaseName(update.version(), update.image()))
                .orElse(null);
        boolean forced = desiredUpdate.map(UpdateRequest::force).orElse(false);
        ClusterVersionState version = new ClusterVersionState(
                status.generation() >= generation,
                requested,
                forced,
                requested != null && ClusterVersionState.mark(requested, forced).equals(mark),
                name(status.desired()),
                status.history(),
                channel,
                conditions,
                updates().available().stream()
                        .map(payload -> new OfferedUpdate(name(payload), List.of()))
                        .toList());
        List<PoolState> seen = List.of(
                new PoolState("master", masterPaused, false, "", 3, 3, true),
                new PoolState(
                        "worker",
                        workerPaused,
                        workerHeld,
                        pools == Observation.Pools.DEGRADED ? "disk full" : "",
                        2,
                        2,
                        pools == Observation.Pools.UPDATED));
        return new ClusterUpgradeState("", version, seen, new Operators(0, 0), new AdminGates(gates, acknowledged));
    }

    private Status written() {
        return new Status(
                state.observedGeneration(),
                state.desired(),
                state.history().stream()
                        .map(entry -> new ClusterVersionState.Past(name(entry.payload()), entry.applied()))
                        .toList(),
                ClusterVersionConditions.of(state, observation(), PACE, now));
    }

    private AvailableUpdates updates() {
        return new UpdateGraph(true, Map.of(), version -> Optional.of(image(version))).updates(spec(), desired());
    }

    private ClusterVersionSpec spec() {
        return new ClusterVersionSpec(generation, ID, channel, "", desiredUpdate, false);
    }

    private Observation observation() {
        Map<String, String> acks = new HashMap<>();
        acknowledged.forEach(gate -> acks.put(gate, "true"));
        List<Condition> blockers = new ArrayList<>();
        AdminAcks.blocker(Optional.of(gates), Optional.of(acks), desired()).ifPresent(blockers::add);
        Observation.Pools seen = masterPaused ? Observation.Pools.STUCK : pools;
        return new Observation(spec(), updates(), new Signed(unsigned), faults, blockers, held, seen);
    }

    private static ReleaseName name(Payload payload) {
        return new ReleaseName(payload.version(), payload.image());
    }

    private record Signed(Set<String> unsigned) implements Releases {

        @Override
        public Optional<String> versionIn(String image) {
            String version = image.substring(image.lastIndexOf(':') + 1);
            return Version.of(version).map(known -> version);
        }

        @Override
        public boolean isSigned(Payload payload) {
            return versionIn(payload.image())
                    .filter(version -> !unsigned.contains(version))
                    .isPresent();
        }
    }
}
