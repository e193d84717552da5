package io.capoa.lab.upgrade;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster at 4.20.3 in channel stable-4.21, and what happens around it. */
final class Scenario {

    static final Pace PACE = new Pace(
            Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ZERO, Duration.ZERO);

    private static final String ID = "8f9a3c52-3c4d-4e0b-9a53-0b8a5a9f7c11";

    final Map<String, OperatorFault> faults = new HashMap<>();
    final List<Condition> notUpgradeable = new ArrayList<>();
    final Map<String, String> risks = new HashMap<>();
    final Set<String> unsigned = new HashSet<>();
    String channel = "stable-4.21";
    Observation.Pools pools = Observation.Pools.UPDATED;
    Optional<Instant> due = Optional.empty();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    UpdateState state =
            UpdateState.installing(new Payload("4.20.3", image("4.20.3")), now).applied(now);
    private Optional<UpdateRequest> request = Optional.empty();
    private int generation = 1;

    static String image(String version) {
        return "quay.io/ocp@sha256:" + version;
    }

    Scenario request(String version, String image) {
        return request(version, image, false);
    }

    Scenario request(String version, String image, boolean force) {
        return request(Optional.of(new UpdateRequest(version, image, force, "", List.of())));
    }

    Scenario request(Optional<UpdateRequest> update) {
        request = update;
        generation++;
        return settle();
    }

    /** Makes all transitions that are due. */
    Scenario settle() {
        ClusterVersionMachine.Next next = ClusterVersionMachine.next(state, seen(), PACE, now);
        while (!next.state().equals(state)) {
            state = next.state();
            next = ClusterVersionMachine.next(state, seen(), PACE, now);
        }
        due = next.due();
        return this;
    }

    Scenario after(int seconds) {
        Instant end = now.plusSeconds(seconds);
        while (due.isPresent() && !due.get().isAfter(end)) {
            now = due.get();
            settle();
        }
        now = end;
        return settle();
    }

    Condition condition(String type) {
        return conditions().stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    List<Condition> conditions() {
        return ClusterVersionConditions.of(state, seen(), PACE, now);
    }

    private Observation seen() {
        ClusterVersionSpec spec = new ClusterVersionSpec(generation, ID, channel, "", request, false);
        UpdateGraph graph = new UpdateGraph(true, risks, version -> Optional.of(image(version)));
        Releases releases = new Releases() {
            @Override
            public Optional<String> versionIn(String image) {
                String version = image.substring(image.lastIndexOf(':') + 1);
                return Version.of(version).map(known -> version);
            }

            @Override
            public boolean isSigned(Payload payload) {
                return unsigned.stream().noneMatch(payload.image()::endsWith);
            }
        };
        return new Observation(
                spec, graph.updates(spec, state.desired().version()), releases, faults, notUpgradeable, false, pools);
    }
}
