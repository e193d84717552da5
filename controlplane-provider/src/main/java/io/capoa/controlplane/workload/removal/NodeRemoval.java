package io.capoa.controlplane.workload.removal;

import io.capoa.api.Annotations;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.etcd.ClusterNode;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.etcd.Membership;
import io.capoa.controlplane.workload.etcd.OpenshiftMachine;
import io.capoa.controlplane.workload.health.ControlPlaneComponents;
import io.capoa.controlplane.workload.health.EtcdState;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step of removing a Machine's Node and etcd member from a workload cluster.
 *
 * <p>First the Node: without a functional Machine API the etcd operator adds a removed member again as long as its Node
 * exists, while a healthy member without Node does no harm. Then the member: by {@code etcdctl}, as the operator never
 * removes one then. With a functional Machine API the operator removes it itself once the cluster's own Machine is being
 * deleted. Whatever is not known, or in the way, means waiting.
 */
public final class NodeRemoval {

    private NodeRemoval() {}

    /** The next step. */
    public sealed interface Step {

        /** Neither Node nor member is left. */
        record Released() implements Step {}

        /** The cluster has to be asked first; what is known is too old, or nothing is. */
        record Ask() implements Step {}

        /** The cluster's API does not answer. */
        record Unreachable(String message) implements Step {}

        /** It cannot be removed now. */
        record Wait(String message) implements Step {}

        /** This Node is to be deleted. */
        record DeleteNode(ClusterNode node) implements Step {}

        /** The cluster's own Machine of this Node is to be deleted: its etcd operator removes the member then. */
        record DeleteMachine(OpenshiftMachine machine) implements Step {}

        /** This member is to be removed, by a command in that pod. */
        record RemoveMember(EtcdMember member, String pod) implements Step {}

        /** Whether it cannot be undone: it changes the cluster, or lets the host be wiped. */
        default boolean isFinal() {
            return this instanceof DeleteNode
                    || this instanceof DeleteMachine
                    || this instanceof RemoveMember
                    || this instanceof Released;
        }

        /**
         * Whether the host has to be off first: it could come back later and register its Node again.
         *
         * @param failed whether the Machine has failed a health check; it does as soon as its Node is gone, which says
         *     nothing about a member that is well
         */
        default boolean needsHostOff(boolean failed) {
            return switch (this) {
                case DeleteNode delete -> failed || !delete.node().ready();
                case RemoveMember remove ->
                    !remove.member().isHealthyVoter()
                            && (failed || !remove.member().learner());
                case DeleteMachine ignored -> failed;
                default -> false;
            };
        }
    }

    /**
     * What is to leave.
     *
     * @param machine whose Node and member
     * @param others all other Machines of the control plane
     * @param broken how many voting members have to be left after the removal of a broken one
     * @param healthy how many after the removal of a healthy one
     */
    public record Leaving(MachineIdentity machine, List<MachineIdentity> others, int broken, int healthy) {

        int remaining(EtcdMember member) {
            return member.healthy() ? healthy : broken;
        }
    }

    /**
     * The next step.
     *
     * @param seen {@code null} if the cluster has not been asked
     */
    public static Step next(Leaving leaving, @Nullable Observed<EtcdState> seen, Instant now) {
        if (seen == null || !seen.isFresh(now)) {
            return new Step.Ask();
        }
        EtcdHealth health = seen.value().health();
        if (!health.reached()) {
            return new Step.Unreachable(health.words());
        }
        Membership membership = seen.value().membership();
        if (membership == null) {
            return new Step.Wait(
                    "the members of etcd are not known: " + seen.value().unknown());
        }
        return switch (NodeMatch.of(leaving.machine(), leaving.others(), membership.nodes())) {
            case NodeMatch.Doubt doubt ->
                new Step.Wait("%s: delete the Node by hand if it is, or set annotation %s on the Machine if it is not"
                        .formatted(doubt.message(), Annotations.SKIP_ETCD_REMOVAL));
            case NodeMatch.Found found -> withNode(leaving, seen.value(), membership, found.node());
            case NodeMatch.NoNode ignored -> withoutNode(leaving, seen.value().components(), membership);
        };
    }

    /**
     * The next step of a Machine that has not been drained: while its Node and member are well and have to stay, the workloads
     * stay, too.
     *
     * @param seen {@code null} if the cluster has not been asked
     * @return {@link Step.Released} if the Node may be drained, else what is waited for
     */
    public static Step beforeDrain(Leaving leaving, @Nullable Observed<EtcdState> seen, Instant now) {
        Step step = next(leaving, seen, now);
        boolean broken = step instanceof Step.Wait && seen != null && isBroken(leaving, seen.value());
        return step.isFinal() || broken ? new Step.Released() : step;
    }

    /** Whether the Node is known to be gone or not ready, or to have no healthy member with a vote. */
    private static boolean isBroken(Leaving leaving, EtcdState state) {
        Membership membership = state.membership();
        return membership != null
                && switch (NodeMatch.of(leaving.machine(), leaving.others(), membership.nodes())) {
                    case NodeMatch.Doubt ignored -> false;
                    case NodeMatch.NoNode ignored -> true;
                    case NodeMatch.Found found -> {
                        EtcdMember member = member(leaving, membership, found.node());
                        yield !found.node().ready() || member == null || !member.isHealthyVoter();
                    }
                };
    }

    private static Step withNode(Leaving leaving, EtcdState state, Membership membership, ClusterNode node) {
        EtcdMember member = member(leaving, membership, node);
        boolean votes = member != null && member.isHealthyVoter();
        String obstacle = state.health().obstacle(votes);
        if (obstacle == null && member != null) {
            obstacle = tooFewWithout(member, membership, leaving.remaining(member));
        }
        if (obstacle == null) {
            obstacle = components(state.components(), leaving, node.name(), votes && node.ready());
        }
        if (obstacle != null) {
            return new Step.Wait(obstacle);
        }
        OpenshiftMachine own = member == null ? null : ownMachine(membership, node.name());
        if (own == null) {
            return new Step.DeleteNode(node);
        }
        return own.deleting() ? operatorsTurn(own) : new Step.DeleteMachine(own);
    }

    private static Step withoutNode(Leaving leaving, ControlPlaneComponents components, Membership membership) {
        EtcdMember member = member(leaving, membership, null);
        if (member == null) {
            return new Step.Released();
        }
        if (claimants(leaving, member) > 0) {
            return new Step.Wait("etcd member %s may be that of another Machine as well".formatted(member.label()));
        }
        String obstacle = tooFewWithout(member, membership, leaving.remaining(member));
        if (obstacle == null) {
            obstacle = components(components, leaving, member.name(), member.isHealthyVoter());
        }
        if (obstacle != null) {
            return new Step.Wait(obstacle);
        }
        OpenshiftMachine own = ownMachine(membership, member.name());
        if (own != null && own.deleting()) {
            return operatorsTurn(own);
        }
        return membership.pods().stream()
                .filter(pod -> !pod.node().equals(member.name()))
                .filter(pod -> membership.members().stream()
                        .anyMatch(other -> other.name().equals(pod.node()) && other.healthy()))
                .min(Comparator.comparing(Membership.EtcdPod::name))
                .<Step>map(pod -> new Step.RemoveMember(member, pod.name()))
                .orElseGet(() -> new Step.Wait(
                        "no etcd pod of another healthy member is ready in which member %s could be removed"
                                .formatted(member.label())));
    }

    private static @Nullable String components(
            ControlPlaneComponents components, Leaving leaving, String node, boolean healthy) {
        List<String> staying = leaving.others().stream()
                .map(MachineIdentity::node)
                .filter(Objects::nonNull)
                .toList();
        return healthy ? components.obstacle(staying, List.of(node), false) : components.withoutBroken(staying);
    }

    private static Step operatorsTurn(OpenshiftMachine own) {
        return new Step.Wait(
                "the cluster's etcd operator removes its member: Machine openshift-machine-api/%s is being deleted there"
                        .formatted(own.name()));
    }

    /** Its member, an unhealthy one first; members of Nodes that are not its are not its either. */
    private static @Nullable EtcdMember member(Leaving leaving, Membership membership, @Nullable ClusterNode node) {
        Set<String> addresses = new HashSet<>(leaving.machine().addresses());
        Set<String> names = new HashSet<>();
        if (leaving.machine().node() != null) {
            names.add(leaving.machine().node());
        }
        if (node != null) {
            addresses.addAll(node.addresses());
            names.add(node.name());
        }
        List<ClusterNode> others = membership.nodes().stream()
                .filter(other -> node == null || !other.uid().equals(node.uid()))
                .toList();
        return membership.members().stream()
                .filter(member -> names.contains(member.name()) || !Collections.disjoint(addresses, member.addresses()))
                .filter(member -> others.stream().noneMatch(other -> isOf(member, other)))
                .min(Comparator.comparing(EtcdMember::healthy).thenComparing(EtcdMember::id))
                .orElse(null);
    }

    private static boolean isOf(EtcdMember member, ClusterNode node) {
        return member.name().equals(node.name()) || !Collections.disjoint(member.addresses(), node.addresses());
    }

    private static long claimants(Leaving leaving, EtcdMember member) {
        return leaving.others().stream()
                .filter(other -> member.name().equals(other.node())
                        || (other.node() == null && !Collections.disjoint(member.addresses(), other.addresses())))
                .count();
    }

    private static @Nullable OpenshiftMachine ownMachine(Membership membership, String node) {
        return !membership.hasMachineApi()
                ? null
                : membership.machines().stream()
                        .filter(machine -> node.equals(machine.node()))
                        .findFirst()
                        .orElse(null);
    }

    /** Why etcd cannot do without the member; {@code null} if it can. */
    private static @Nullable String tooFewWithout(EtcdMember member, Membership membership, int remaining) {
        if (member.learner()) {
            return null;
        }
        List<EtcdMember> others = membership.members().stream()
                .filter(other -> !other.id().equals(member.id()))
                .toList();
        List<EtcdMember> joining = others.stream().filter(EtcdMember::learner).toList();
        if (!joining.isEmpty()) {
            return "etcd member %s is still being added".formatted(labels(joining));
        }
        if (others.isEmpty()) {
            return "it is the last member of etcd: delete the Cluster as a whole, or set annotation "
                    + Annotations.SKIP_ETCD_REMOVAL + " on the Machine to remove it all the same";
        }
        if (others.size() < remaining) {
            return "etcd has %d members, and %d have to be left: another Machine has to join first"
                    .formatted(others.size() + 1, remaining);
        }
        List<EtcdMember> unhealthy =
                others.stream().filter(other -> !other.healthy()).toList();
        boolean majority = others.size() - unhealthy.size() >= others.size() / 2 + 1;
        return !majority || (member.healthy() && !unhealthy.isEmpty())
                ? "etcd member %s is unhealthy: repair it, or remove its Machine first".formatted(labels(unhealthy))
                : null;
    }

    private static String labels(List<EtcdMember> members) {
        return members.stream().map(EtcdMember::label).sorted().collect(Collectors.joining(", "));
    }
}
