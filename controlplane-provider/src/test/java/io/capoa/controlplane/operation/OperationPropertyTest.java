package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Floor;
import io.capoa.controlplane.operation.OperationScene.Host;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Events in any order: what the decisions begin never takes etcd's voters below the majority, and never two things run at
 * once that they began.
 */
class OperationPropertyTest {

    private static final int RUNS = 600;
    private static final int EVENTS = 150;

    private int created;
    private int deleted;
    private int upgraded;
    private int consented;

    @Test
    void whateverHappens_theMajorityVotes_andOneOperationRuns() {
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            OperationScene scene = new OperationScene(random.nextBoolean() ? 3 : 5);
            scene.settings = "rollout: {strategy: {type: RollingUpdate}}\n  remediation: {overrideEtcdQuorumGuard: %s}"
                    .formatted(random.nextBoolean());
            for (int event = 0; event < EVENTS; event++) {
                happen(scene, random, seed);
            }
        }
        assertThat(created).as("Machines created").isGreaterThan(RUNS / 2);
        assertThat(deleted).as("Machines deleted").isGreaterThan(RUNS / 2);
        assertThat(consented).as("replacements by consent of the Machine").isPositive();
        assertThat(upgraded).as("turns of an upgrade").isGreaterThan(RUNS / 2);
    }

    private void happen(OperationScene scene, Random random, int seed) {
        List<Host> hosts = scene.hosts;
        Host any = hosts.get(random.nextInt(hosts.size()));
        switch (random.nextInt(18)) {
            case 0 -> any.on = random.nextInt(3) > 0 || isLastVoter(scene);
            case 1 -> any.unhealthy = !any.on;
            case 2 -> any.deleting |= random.nextInt(4) == 0;
            case 3 -> hosts.forEach(host -> host.outdated |= random.nextInt(6) == 0);
            case 4 -> scene.replicas = List.of(3, 4, 5).get(random.nextInt(3));
            case 5 -> scene.upgrading = random.nextInt(3) == 0;
            case 6, 7 -> hosts.stream().filter(host -> !host.joined).limit(1).forEach(host -> host.joined = true);
            case 8, 9 -> operator(scene);
            case 10, 11 -> leave(scene, seed);
            case 12 -> hosts.forEach(host -> host.serves = host != any || random.nextInt(3) > 0);
            case 13 -> any.annotations.put(Annotations.OVERRIDE_QUORUM_GUARD, "");
            default -> act(scene, seed);
        }
    }

    /** The etcd operator adds one member while all are healthy. */
    private static void operator(OperationScene scene) {
        boolean healthy = scene.hosts.stream().filter(host -> host.member).allMatch(host -> host.on);
        if (healthy) {
            scene.hosts.stream()
                    .filter(host -> host.joined && host.on && !host.member && !host.deleting)
                    .limit(1)
                    .forEach(host -> host.member = true);
        }
    }

    /** What the removal of a node permits, by the floor that goes with the situation. */
    private static void leave(OperationScene scene, int seed) {
        Host leaving =
                scene.hosts.stream().filter(host -> host.deleting).findFirst().orElse(null);
        if (leaving == null) {
            return;
        }
        List<Host> others = scene.hosts.stream()
                .filter(host -> host.member && host != leaving)
                .toList();
        long healthy = others.stream().filter(host -> host.on).count();
        Floor floors = scene.situation().floor(OperationScene.machine(leaving));
        int floor = leaving.on ? floors.healthy() : floors.broken();
        boolean permitted = !leaving.member
                || (others.size() >= floor && healthy > others.size() / 2 && (!leaving.on || healthy == others.size()));
        if (permitted && scene.hosts.size() > 1) {
            scene.hosts.remove(leaving);
            assertThat(leaving.member ? healthy : Integer.MAX_VALUE)
                    .as("healthy voters, seed " + seed)
                    .isGreaterThan(others.size() / 2);
        }
    }

    private void act(OperationScene scene, int seed) {
        Operation operation = scene.next();
        List<Host> going = scene.hosts.stream().filter(host -> host.deleting).toList();
        List<Host> coming = scene.hosts.stream().filter(host -> !host.joined).toList();
        switch (operation.action()) {
            case Action.Create create -> {
                assertThat(create.count()).isEqualTo(1);
                assertThat(coming)
                        .as("Machines that join already, seed " + seed)
                        .isEmpty();
                assertThat(scene.upgrading && going.isEmpty())
                        .as("an upgrade, seed " + seed)
                        .isFalse();
                assertServing(scene, null, seed);
                long members = scene.hosts.stream().filter(host -> host.member).count();
                assertThat(going.isEmpty()
                                || going.stream()
                                        .anyMatch(host -> members
                                                <= scene.situation()
                                                        .floor(OperationScene.machine(host))
                                                        .healthy()))
                        .as("a Machine that has to stay until another has joined, seed " + seed)
                        .isTrue();
                scene.create();
                scene.inProgress = null;
                created++;
            }
            case Action.Delete delete -> {
                assertThat(going)
                        .as("Machines that leave already, seed " + seed)
                        .isEmpty();
                assertThat(scene.upgrading).as("an upgrade, seed " + seed).isFalse();
                Host host = scene.hosts.stream()
                        .filter(some ->
                                some.name.equals(delete.machine().getMetadata().getName()))
                        .findFirst()
                        .orElseThrow();
                if (!(operation instanceof Operation.Remediate)) {
                    assertServing(scene, host, seed);
                }
                long healthy = scene.hosts.stream()
                        .filter(other -> other != host && other.member && other.on)
                        .count();
                long left = scene.hosts.stream()
                        .filter(other -> other != host && other.member)
                        .count();
                assertThat(healthy)
                        .as("healthy voters without it, seed " + seed)
                        .isGreaterThan(left / 2);
                host.deleting = true;
                if (operation instanceof Operation.Remediate remediate) {
                    scene.inProgress = remediate.verdict().record();
                    consented += Objects.requireNonNull(scene.inProgress).overridesGuard() ? 1 : 0;
                }
                deleted++;
            }
            default -> upgraded += operation instanceof Operation.Upgrade ? 1 : 0;
        }
    }

    /** Nothing joins or leaves while kube-apiserver does not run on a host that stays. */
    private static void assertServing(OperationScene scene, @Nullable Host leaving, int seed) {
        assertThat(scene.hosts.stream().filter(host -> host != leaving && !host.deleting && host.joined))
                .as("hosts that stay, seed " + seed)
                .allMatch(host -> host.serves && host.on);
    }

    private static boolean isLastVoter(OperationScene scene) {
        return scene.hosts.stream().filter(host -> host.member && host.on).count() <= 1;
    }
}
