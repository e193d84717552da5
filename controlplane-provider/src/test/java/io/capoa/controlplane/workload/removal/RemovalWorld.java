package io.capoa.controlplane.workload.removal;

import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.etcd.ClusterNode;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.etcd.Membership;
import io.capoa.controlplane.workload.etcd.Membership.EtcdPod;
import io.capoa.controlplane.workload.health.ControlPlaneComponents;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.health.OperatorHealth;
import io.capoa.controlplane.workload.removal.NodeRemoval.Leaving;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster for property tests: hosts with the truth about which Machine each belongs to, an etcd with its own checks, an
 * operator that adds members again and removes none, and a management cluster with pauses and leaders.
 */
final class RemovalWorld {

    /** A host, the Machine that it belongs to, and its Node and member while it has them. */
    static final class Host {
        final String machine;
        final String name;
        final String address;
        final boolean nodeHasId;
        boolean on = true;
        boolean registered;
        boolean addressesKnown = true;

        @Nullable
        String nodeUid;

        @Nullable
        String member;

        Host(String machine, String name, String address, boolean nodeHasId) {
            this.machine = machine;
            this.name = name;
            this.address = address;
            this.nodeHasId = nodeHasId;
        }
    }

    /** What a controller's caches show of a Machine. */
    record SeenMachine(String name, boolean deleting) {}

    final Random random;
    final int replicas;

    /** Whether etcd itself refuses what would cost it the majority. */
    final boolean strict;

    final Map<String, Host> hosts = new LinkedHashMap<>();
    final List<String> deleting = new ArrayList<>();
    final List<String> released = new ArrayList<>();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    boolean paused;
    int leader;
    private int count;

    RemovalWorld(Random random) {
        this.random = random;
        this.strict = random.nextBoolean();
        this.replicas = random.nextBoolean() ? 3 : 5;
        for (int n = 0; n < replicas; n++) {
            join(false);
        }
        operate();
    }

    int majority() {
        return replicas / 2 + 1;
    }

    /** A Machine whose host has joined; with a name and address that a host had that is no more, if so asked. */
    void join(boolean reuse) {
        String number = Integer.toString(count++);
        Optional<Host> gone = hosts.values().stream()
                .filter(host -> host.nodeUid == null && host.member == null)
                .filter(host -> hosts.values().stream()
                        .noneMatch(other -> other.nodeUid != null && other.name.equals(host.name)))
                .findFirst();
        Host host = reuse && gone.isPresent()
                ? new Host("m-" + number, gone.get().name, gone.get().address, random.nextBoolean())
                : new Host("m-" + number, "n-" + number, "192.0.2." + number, random.nextBoolean());
        host.nodeUid = "node-" + number;
        host.registered = host.nodeHasId || random.nextBoolean();
        host.addressesKnown = random.nextInt(4) > 0;
        hosts.put(host.machine, host);
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    /** The operator's loop: one after the other, while all members are healthy, and never a removal. */
    void operate() {
        for (Host host : hosts.values()) {
            boolean allHealthy = members().allMatch(member -> member.on);
            if (allHealthy && host.on && host.nodeUid != null && host.member == null) {
                host.member = "e" + count++;
            }
        }
    }

    /** A kubelet that is started again registers its Node again. */
    void restartKubelet(Host host) {
        boolean taken = hosts.values().stream()
                .anyMatch(other -> other != host && other.nodeUid != null && other.name.equals(host.name));
        if (host.on && host.nodeUid == null && !taken && !released.contains(host.machine)) {
            host.nodeUid = "node-again-" + count++;
        }
    }

    Stream<Host> members() {
        return hosts.values().stream().filter(host -> host.member != null);
    }

    long healthy() {
        return members().filter(member -> member.on).count();
    }

    boolean hasQuorum() {
        return healthy() > members().count() / 2;
    }

    /** What {@code etcdctl member remove} does, by etcd's strict-reconfig-check; whether it was done. */
    boolean removeMember(String id) {
        Host member =
                members().filter(host -> id.equals(host.member)).findFirst().orElse(null);
        long count = members().count();
        boolean refused = strict && member != null && member.on && healthy() - 1 < 1 + (count - 1) / 2;
        if (member == null || !hasQuorum() || refused) {
            return false;
        }
        member.member = null;
        return true;
    }

    Observed<EtcdState> observe() {
        if (!hasQuorum()) {
            return new Observed<>(EtcdState.unreachable("no connection"), now);
        }
        boolean degraded = members().anyMatch(member -> !member.on);
        int count = (int) members().count();
        EtcdHealth health = new EtcdHealth(true, true, degraded, random.nextInt(10) == 0, count, "as it is");
        if (random.nextInt(8) == 0) {
            return new Observed<>(EtcdState.unknown(health, "no pod"), now);
        }
        List<EtcdMember> members = members()
                .map(host ->
                        new EtcdMember(String.valueOf(host.member), host.name, Set.of(host.address), false, host.on))
                .toList();
        List<ClusterNode> nodes = hosts.values().stream()
                .filter(host -> host.nodeUid != null)
                .map(host -> new ClusterNode(
                        host.name,
                        String.valueOf(host.nodeUid),
                        host.registered ? "metal3://" + host.machine : null,
                        Set.of(host.address),
                        Set.of(host.name),
                        null,
                        host.on))
                .toList();
        List<EtcdPod> pods = members()
                .filter(host -> host.on && host.nodeUid != null)
                .map(host -> new EtcdPod("etcd-" + host.name, host.name))
                .toList();
        ControlPlaneComponents components = new ControlPlaneComponents(
                List.of(new OperatorHealth("kube-apiserver", true, degraded, "")),
                hosts.values().stream()
                        .filter(host -> host.nodeUid != null)
                        .collect(Collectors.toMap(host -> host.name, host -> host.on, Boolean::logicalAnd)));
        return new Observed<>(
                new EtcdState(health, new Membership(members, nodes, pods, List.of()), "", components), now);
    }

    List<SeenMachine> machines() {
        return hosts.values().stream()
                .filter(host -> !released.contains(host.machine))
                .map(host -> new SeenMachine(host.machine, deleting.contains(host.machine)))
                .toList();
    }

    Leaving leaving(SeenMachine machine, List<SeenMachine> all) {
        return new Leaving(
                identity(machine.name()),
                all.stream()
                        .filter(other -> !other.equals(machine))
                        .map(other -> identity(other.name()))
                        .toList(),
                majority(),
                Math.min(3, replicas));
    }

    private MachineIdentity identity(String machine) {
        Host host = java.util.Objects.requireNonNull(hosts.get(machine));
        return new MachineIdentity(
                machine,
                host.registered ? "metal3://" + machine : null,
                host.registered ? host.name : null,
                host.addressesKnown || host.registered ? Set.of(host.address) : Set.of(),
                Set.of());
    }
}
