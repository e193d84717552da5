package io.capoa.controlplane.workload.removal;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.removal.NodeRemoval.Step;
import io.capoa.controlplane.workload.removal.RemovalWorld.Host;
import io.capoa.controlplane.workload.removal.RemovalWorld.SeenMachine;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Events in any order, pauses, stale answers, leaders that change in the middle: voters never fall below the majority, and
 * no Node is deleted, no member removed and no host released that is not its Machine's.
 */
class NodeRemovalPropertyTest {

    private static final int RUNS = 2000;
    private static final int EVENTS = 200;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    /** One replica of the provider, with what it believes. */
    private static final class Replica {
        final int id;
        List<SeenMachine> machines = List.of();
        boolean believesPaused;

        @Nullable
        Observed<EtcdState> answer;

        Replica(int id) {
            this.id = id;
        }
    }

    private int nodesDeleted;
    private int membersRemoved;
    private int hostsReleased;

    @Test
    void whateverHappens_theMajorityVotes_andNothingForeignIsRemoved() {
        for (int seed = 0; seed < RUNS; seed++) {
            RemovalWorld world = new RemovalWorld(new Random(seed));
            List<Replica> replicas = List.of(new Replica(0), new Replica(1));
            for (int event = 0; event < EVENTS; event++) {
                happen(world, replicas, true);
            }
        }
        assertThat(nodesDeleted).as("Nodes deleted").isGreaterThan(RUNS / 8);
        assertThat(membersRemoved).as("members removed").isGreaterThan(RUNS / 8);
        assertThat(hostsReleased).as("hosts released").isGreaterThan(RUNS / 8);
    }

    @Test
    void whenEverythingIsWellAgain_everyMachineThatMayLeaveHasLeft() {
        for (int seed = 0; seed < RUNS / 10; seed++) {
            RemovalWorld world = new RemovalWorld(new Random(seed));
            List<Replica> replicas = List.of(new Replica(0), new Replica(1));
            for (int event = 0; event < EVENTS; event++) {
                happen(world, replicas, false);
            }
            recover(world);
            Replica leader = replicas.get(world.leader);
            for (int turn = 0; turn < 400; turn++) {
                believe(world, leader);
                leader.answer = world.observe();
                act(world, leader, Duration.ZERO);
                world.operate();
            }
            assertThat(world.released).as("seed " + seed).containsAll(world.deleting);
        }
    }

    private static void recover(RemovalWorld world) {
        world.paused = false;
        world.pass(LONG_ENOUGH);
        world.hosts.values().forEach(host -> {
            host.on = !world.released.contains(host.machine);
            host.registered = true;
            host.addressesKnown = true;
        });
        world.operate();
        for (int n = 0; n < world.replicas; n++) {
            world.join(false);
        }
        world.hosts.values().forEach(host -> host.registered = true);
        world.operate();
    }

    private void happen(RemovalWorld world, List<Replica> replicas, boolean reuse) {
        Replica one = replicas.get(world.random.nextInt(replicas.size()));
        Host host = any(
                world,
                world.hosts.values().stream()
                        .filter(some -> !world.released.contains(some.machine))
                        .toList());
        switch (world.random.nextInt(20)) {
            case 0 -> world.pass(Duration.ofMillis(world.random.nextInt(15_000)));
            case 1 -> {
                if (!world.deleting.contains(host.machine)
                        && world.deleting.size() < world.released.size() + world.replicas) {
                    world.deleting.add(host.machine);
                }
            }
            case 2 -> world.paused = world.random.nextInt(5) == 0;
            case 3 -> world.leader = one.id;
            case 4 -> {
                if (!world.released.contains(host.machine)) {
                    host.on = world.random.nextInt(4) > 0;
                }
            }
            case 5 -> world.restartKubelet(host);
            case 6 -> {
                if (world.members().count() <= world.replicas) {
                    world.join(reuse && world.random.nextBoolean());
                }
            }
            case 7 -> host.registered |= host.nodeUid != null;
            case 8 -> world.operate();
            case 9, 10, 11, 12 -> one.answer = world.observe();
            case 13, 14, 15 -> believe(world, one);
            default -> act(world, one, Duration.ofMillis(world.random.nextInt(4) == 0 ? 12_000 : 50));
        }
    }

    private static void believe(RemovalWorld world, Replica replica) {
        replica.machines = world.machines();
        replica.believesPaused = world.paused;
    }

    /**
     * A reconcile: on the replica's caches and its latest answer, then on what is read live, which takes a while in which
     * more may happen; the fence is asked just before the change.
     */
    private void act(RemovalWorld world, Replica replica, Duration reading) {
        if (replica.believesPaused) {
            return;
        }
        for (SeenMachine machine : replica.machines) {
            if (!machine.deleting()) {
                continue;
            }
            Step step = NodeRemoval.next(world.leaving(machine, replica.machines), replica.answer, world.now);
            if (!step.isFinal()) {
                continue;
            }
            Observed<EtcdState> live = world.observe();
            world.pass(reading);
            // What breaks between a quick reading and the change nothing but etcd's own check can notice.
            boolean breaks = world.strict ? !reading.isZero() : reading.compareTo(Observed.LONGEST_AGE) > 0;
            if (breaks && world.random.nextInt(5) == 0) {
                any(world, world.members().toList()).on = false;
            }
            Step now = NodeRemoval.next(world.leaving(machine, replica.machines), live, world.now);
            if (isOpen(world, replica, machine) && live.isFresh(world.now)) {
                change(world, machine, now);
                replica.answer = null;
            }
            return;
        }
    }

    /** What {@code Fence} asks the API server. */
    private static boolean isOpen(RemovalWorld world, Replica replica, SeenMachine machine) {
        return replica.id == world.leader
                && !world.paused
                && world.deleting.contains(machine.name())
                && !world.released.contains(machine.name())
                && names(replica.machines).containsAll(names(world.machines()));
    }

    private static List<String> names(List<SeenMachine> machines) {
        return machines.stream().map(SeenMachine::name).toList();
    }

    private void change(RemovalWorld world, SeenMachine machine, Step step) {
        if (step instanceof Step.DeleteNode delete) {
            for (Host host : world.hosts.values()) {
                if (delete.node().uid().equals(host.nodeUid)) {
                    assertThat(host.machine)
                            .as("the Machine whose Node is deleted")
                            .isEqualTo(machine.name());
                    host.nodeUid = null;
                    nodesDeleted++;
                }
            }
        } else if (step instanceof Step.RemoveMember remove) {
            Host host = world.members()
                    .filter(member -> remove.member().id().equals(member.member))
                    .findFirst()
                    .orElse(null);
            if (world.removeMember(remove.member().id())) {
                assertThat(Objects.requireNonNull(host).machine)
                        .as("the Machine whose member is removed")
                        .isEqualTo(machine.name());
                assertThat(world.members().count())
                        .as("voters left")
                        .isGreaterThanOrEqualTo(remove.member().healthy() ? 3 : world.majority());
                assertThat(world.hasQuorum())
                        .as("a majority of the voters answers")
                        .isTrue();
                membersRemoved++;
            }
        } else if (step instanceof Step.Released) {
            release(world, machine);
        }
    }

    /** The host is wiped: it must be no member any more, or a healthy etcd loses a voter. */
    private void release(RemovalWorld world, SeenMachine machine) {
        Host host = Objects.requireNonNull(world.hosts.get(machine.name()));
        if (host.on && host.member != null) {
            assertThat(host.member).as("member of a host that is released").isNull();
        }
        world.released.add(machine.name());
        host.on = false;
        host.nodeUid = null;
        hostsReleased++;
    }

    private static Host any(RemovalWorld world, List<Host> hosts) {
        return hosts.get(world.random.nextInt(hosts.size()));
    }
}
