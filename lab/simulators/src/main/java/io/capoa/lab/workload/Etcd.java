package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.Condition;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Simulates etcd of a cluster and its operator.
 *
 * <p>Running control-plane Nodes become members, one at a time and only while all members are healthy and enough to roll
 * out a revision; so does a Node whose member was removed, while it exists. Without a functional Machine API the operator never removes a member. With
 * one it removes the member of a Machine that is being deleted once a replacement votes or the member is broken, and
 * ignores Nodes without a Machine.
 */
final class Etcd {

    /**
     * A member, healthy or not.
     *
     * @param started whether it has joined; one that has not is a learner without name
     */
    record Member(long id, String name, String address, boolean started) {}

    /** Annotation of a Node: its member is added, but its pod does not start. */
    static final String STUCK = "lab.capoa.io/etcd-not-started";

    /** Result of a membership change; {@code refusal} is {@code null} on success. */
    record Removal(@Nullable String refusal) {}

    private static final List<String> ROLES =
            List.of("node-role.kubernetes.io/master", "node-role.kubernetes.io/arbiter");
    private static final int USUAL_VOTERS = 3;

    private final Workload workload;
    private final SortedMap<String, Member> members = new TreeMap<>();
    private final SecureRandom ids = new SecureRandom();
    private boolean grown;
    private @Nullable Member leader;
    private int elections;
    private final List<String> lostMajorities = new ArrayList<>();
    private final List<EtcdChange> history = new ArrayList<>();
    private List<Member> published = List.of();
    /** Of the members' pods, which a changed membership rolls out. */
    private int revision = 1;

    Etcd(Workload workload) {
        this.workload = workload;
        ObjectStore store = workload.store();
        store.create(Resource.ETCDS.path(), EtcdObjects.etcd());
        store.create(Resource.CONFIG_MAPS.path(), EtcdObjects.endpoints(List.of()));
    }

    synchronized List<Member> members() {
        return List.copyOf(members.values());
    }

    boolean isHealthy(Member member) {
        return member.started() && workload.runs(member.name());
    }

    /** Whether a majority of the members is up; also true without members, during the installation. */
    synchronized boolean hasQuorum() {
        return members.isEmpty() || healthy() > voters() / 2;
    }

    /** Implements {@code etcdctl member remove} with etcd's strict-reconfig-check. */
    synchronized Removal remove(long id) {
        Member member = members.values().stream()
                .filter(known -> known.id() == id)
                .findFirst()
                .orElse(null);
        if (member == null) {
            return new Removal("etcdserver: member not found");
        }
        long others = voters() - 1;
        if (isHealthy(member) && healthy() - 1 < 1 + others / 2) {
            return new Removal("etcdserver: unhealthy cluster");
        }
        members.remove(member.name());
        note();
        settle();
        workload.upgrades().settleSoon();
        return new Removal(null);
    }

    /** The member that leads; without one a healthy one is elected, which writes wait for. Empty without a quorum. */
    synchronized Optional<Member> leader() {
        Member before = leader;
        boolean leads = before != null && members.containsKey(before.name()) && isHealthy(before);
        if (!leads && hasQuorum()) {
            elections += before == null ? 0 : 1;
            leader = members.values().stream()
                    .filter(this::isHealthy)
                    .findFirst()
                    .orElse(null);
        }
        return Optional.ofNullable(leader);
    }

    /** Each moment without a majority, as healthy members of voters. */
    synchronized List<String> lostMajorities() {
        return List.copyOf(lostMajorities);
    }

    /** Each change so far; the last is the present state. */
    synchronized List<EtcdChange> history() {
        return List.copyOf(history);
    }

    private void note() {
        EtcdChange now = new EtcdChange(Instant.now(), members.size(), healthy());
        EtcdChange before = history.isEmpty() ? new EtcdChange(Instant.EPOCH, 0, 0) : history.getLast();
        if (now.members() != before.members() || now.healthy() != before.healthy()) {
            history.add(now);
        }
    }

    /** How often a leader was lost. */
    synchronized int elections() {
        return elections;
    }

    /** Implements {@code etcdctl move-leader}: the leadership moves without an election. */
    synchronized boolean moveLeader(long id) {
        Optional<Member> target = members.values().stream()
                .filter(member -> member.id() == id && isHealthy(member))
                .findFirst();
        target.ifPresent(member -> leader = member);
        return target.isPresent();
    }

    /** Reconciles members with Nodes, Machines and power. */
    synchronized void settle() {
        SortedMap<String, String> nodes = nodes();
        members.replaceAll((name, member) ->
                member.started() ? member : new Member(member.id(), name, member.address(), starts(name)));
        note();
        if (!hasQuorum()) {
            lostMajorities.add(healthy() + "/" + voters());
        } else {
            add(nodes);
            if (workload.hasMachineApi()) {
                removeForMachines(nodes);
            }
        }
        publish(nodes);
        var unused = leader();
    }

    private void add(SortedMap<String, String> nodes) {
        nodes.forEach((name, address) -> {
            boolean allHealthy = healthy() == members.size();
            if (allHealthy && mayRollOut() && !members.containsKey(name) && workload.runs(name) && isWanted(name)) {
                members.put(name, new Member(ids.nextLong(), name, address, starts(name)));
                note();
            }
        });
    }

    /**
     * The operator's quorum guard: a member is added by a new revision of the etcd pods, which needs one healthy member
     * more than the majority and at least three, unless the guard is overridden. Until there have been three, the
     * installer adds members.
     */
    private boolean mayRollOut() {
        grown |= members.size() >= USUAL_VOTERS;
        int healthy = healthy();
        return !grown
                || EtcdObjects.isGuardOverridden(workload.store().get(Resource.ETCDS.path(), "cluster"))
                || (healthy >= USUAL_VOTERS && healthy > members.size() / 2 + 1);
    }

    private boolean starts(String node) {
        Map<String, Object> object = workload.store().get(Resource.NODES.path(), node);
        return object != null && UpgradeFaults.annotation(object, STUCK) == null;
    }

    private long voters() {
        return members.values().stream().filter(Member::started).count();
    }

    private boolean isWanted(String node) {
        return !workload.hasMachineApi() || machineOf(node) != null;
    }

    private void removeForMachines(SortedMap<String, String> nodes) {
        for (Member member : members()) {
            Map<String, Object> machine = machineOf(member.name());
            boolean gone = machine == null && !nodes.containsKey(member.name()) && !isHealthy(member);
            boolean going = machine != null && Fields.any(machine, "metadata", "deletionTimestamp") != null;
            boolean replaced = members.size() > USUAL_VOTERS || !isHealthy(member);
            int quorum = USUAL_VOTERS / 2 + 1;
            if (gone || (going && replaced && members.size() >= USUAL_VOTERS && healthy() >= quorum)) {
                members.remove(member.name());
                note();
                break;
            }
        }
        // Without a member the operator removes its hook, and the Node is deleted with the Machine.
        for (Map<String, Object> machine :
                workload.store().list(Resource.MACHINES.path()).items()) {
            String node = String.valueOf(Fields.any(machine, "status", "nodeRef", "name"));
            if (Fields.any(machine, "metadata", "deletionTimestamp") != null && !members.containsKey(node)) {
                workload.store().remove(Resource.MACHINES.path(), ObjectStore.name(machine));
                workload.store().remove(Resource.NODES.path(), node);
                nodes.remove(node);
            }
        }
    }

    private @Nullable Map<String, Object> machineOf(String node) {
        return workload.store().list(Resource.MACHINES.path()).items().stream()
                .filter(machine -> node.equals(Fields.any(machine, "status", "nodeRef", "name")))
                .findFirst()
                .orElse(null);
    }

    private SortedMap<String, String> nodes() {
        SortedMap<String, String> nodes = new TreeMap<>();
        for (Map<String, Object> node :
                workload.store().list(Resource.NODES.path()).items()) {
            if (ROLES.stream().anyMatch(role -> Fields.any(node, "metadata", "labels", role) != null)
                    && Fields.any(node, "metadata", "deletionTimestamp") == null) {
                nodes.put(ObjectStore.name(node), address(node));
            }
        }
        return nodes;
    }

    private int healthy() {
        return (int) members.values().stream().filter(this::isHealthy).count();
    }

    private void publish(SortedMap<String, String> nodes) {
        workload.update(Resource.CONFIG_MAPS, EtcdObjects.endpoints(members()));
        if (!members().equals(published)) {
            published = members();
            revision++;
        }
        int pods = (int) published.stream()
                .filter(member -> nodes.containsKey(member.name()))
                .count();
        List<Condition> conditions = EtcdObjects.conditions(published, this::isHealthy, pods, revision);
        workload.change(Resource.ETCDS, "cluster", object -> {
            object.put("status", Map.of("conditions", StatusConditions.of(conditions, object)));
            return Json.copy(object);
        });
        workload.publishPods(
                EtcdObjects.NAMESPACE,
                nodes.entrySet().stream()
                        .map(node -> EtcdObjects.pod(node.getKey(), node.getValue(), isReady(node.getKey())))
                        .toList());
        workload.apiServers().settle();
    }

    private boolean isReady(String node) {
        Member member = members.get(node);
        return member != null && isHealthy(member);
    }

    static String address(Map<String, Object> node) {
        return Fields.any(node, "status", "addresses") instanceof List<?> addresses
                ? addresses.stream()
                        .filter(address -> "InternalIP".equals(Fields.any(address, "type")))
                        .map(address -> String.valueOf(Fields.any(address, "address")))
                        .findFirst()
                        .orElse("")
                : "";
    }
}
