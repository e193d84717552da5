package io.capoa.controlplane.workload.removal;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.capoa.controlplane.workload.removal.NodeRemoval.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The next step of removing the first of four Nodes, n-0. */
class NodeRemovalDecisionTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Leaving LEAVING = new Leaving(machine(0), List.of(machine(1), machine(2), machine(3)), 2, 3);
    private static final OperatorHealth DEGRADED = new OperatorHealth("kube-apiserver", true, true, "a pod crashes");

    private static final EtcdHealth PROGRESSING = new EtcdHealth(true, true, true, true, 4, "n-0 has not started");

    private final List<ClusterNode> nodes = new ArrayList<>();
    private final List<EtcdMember> members = new ArrayList<>();
    private final Map<String, Boolean> servers = new HashMap<>();
    private OperatorHealth operator = new OperatorHealth("kube-apiserver", true, false, "");
    private EtcdHealth health = new EtcdHealth(true, true, false, false, 4, "as it is");

    NodeRemovalDecisionTest() {
        for (int n = 0; n < 4; n++) {
            nodes.add(node(n, true));
            members.add(member(n, false, true));
            servers.put("n-" + n, true);
        }
    }

    @Test
    void aHealthyHost_leavesWhenEveryOtherServes() {
        assertThat(next()).isEqualTo(new Step.DeleteNode(nodes.getFirst()));
        servers.put("n-2", false);
        assertWaits("kube-apiserver is not ready on Node n-2");
        nodes.removeFirst();
        assertWaits("kube-apiserver is not ready on Node n-2");
        servers.put("n-2", true);
        assertThat(next()).isEqualTo(new Step.RemoveMember(members.getFirst(), "etcd-n-1"));
    }

    @Test
    void aDegradedOperator_keepsAHealthyHost_butNotTheOneThatDegradesIt() {
        operator = DEGRADED;
        assertWaits("ClusterOperator kube-apiserver is degraded (a pod crashes)");
        servers.put("n-0", false);
        assertThat(next()).isInstanceOf(Step.DeleteNode.class);
    }

    @Test
    void aDeadHost_leavesWhileAnotherServes() {
        operator = DEGRADED;
        nodes.set(0, node(0, false));
        members.set(0, member(0, false, false));
        servers.put("n-0", false);
        servers.put("n-1", false);
        assertThat(next()).isInstanceOf(Step.DeleteNode.class);
        servers.replaceAll((node, serves) -> false);
        assertWaits("kube-apiserver is not ready on any other Node");
    }

    @Test
    void aHealthyMember_waitsWhileTheOperatorChangesEtcd() {
        health = new EtcdHealth(true, true, false, true, 4, "n-0 has not started");
        assertWaits("etcd is being changed: n-0 has not started");
    }

    @Test
    void aBrokenMember_leavesAlthoughTheOperatorChangesEtcdBecauseOfIt() {
        health = PROGRESSING;
        members.set(0, member(0, false, false));
        assertThat(next()).as("unhealthy").isInstanceOf(Step.DeleteNode.class);
        members.set(0, new EtcdMember("e0", "", Set.of(address(0)), true, false));
        assertThat(next()).as("a learner that has not started").isInstanceOf(Step.DeleteNode.class);
        members.removeFirst();
        assertThat(next()).as("no member").isInstanceOf(Step.DeleteNode.class);
    }

    @Test
    void aHalfJoinedHost_leavesBesideAnother() {
        health = PROGRESSING;
        members.set(0, new EtcdMember("e0", "", Set.of(address(0)), true, false));
        members.set(1, new EtcdMember("e1", "", Set.of(address(1)), true, false));
        assertThat(next()).isInstanceOf(Step.DeleteNode.class);
        nodes.removeFirst();
        assertThat(next()).isEqualTo(new Step.RemoveMember(members.getFirst(), "etcd-n-2"));
    }

    @Test
    void theMajorityStays_whateverIsBroken() {
        health = PROGRESSING;
        members.set(0, member(0, false, false));
        members.set(1, member(1, false, false));
        members.set(2, member(2, false, false));
        assertWaits("etcd member n-1, n-2 is unhealthy");
    }

    @Test
    void aHostThatTheClusterHasLost_isKnownToBeDead_butNotOneThatHasNotStarted() {
        assertThat(next().needsHostOff(false)).isFalse();
        nodes.set(0, node(0, false));
        members.set(0, member(0, false, false));
        assertThat(next().needsHostOff(false)).as("its Node").isTrue();
        nodes.removeFirst();
        assertThat(next()).isInstanceOf(Step.RemoveMember.class);
        assertThat(next().needsHostOff(false)).as("its member").isTrue();
        members.set(0, new EtcdMember("e0", "", Set.of(address(0)), true, false));
        assertThat(next().needsHostOff(false)).as("a learner").isFalse();
    }

    @Test
    void aHostOfAFailedMachine_isPoweredOff_butNotForAMemberThatIsWellOnceItsNodeIsGone() {
        assertThat(next().needsHostOff(true)).isTrue();
        nodes.removeFirst();
        assertThat(next()).isInstanceOf(Step.RemoveMember.class);
        assertThat(next().needsHostOff(true)).isFalse();
        members.set(0, member(0, false, false));
        assertThat(next().needsHostOff(true)).isTrue();
    }

    @Test
    void aHealthyHost_isDrainedOnceItsReplacementVotes() {
        members.removeLast();
        assertHeld("etcd has 3 members, and 3 have to be left: another Machine has to join first");
        members.add(member(3, true, true));
        assertHeld("etcd member n-3 is still being added");
        members.set(3, member(3, false, true));
        servers.put("n-3", false);
        assertHeld("kube-apiserver is not ready on Node n-3");
        servers.put("n-3", true);
        assertThat(beforeDrain()).isInstanceOf(Step.Released.class);
    }

    @Test
    void aHostWithoutHealthyNodeOrMember_isDrainedAtOnce_whateverElseIsBroken() {
        members.set(1, member(1, false, false));
        assertHeld("etcd member n-1 is unhealthy");
        nodes.set(0, node(0, false));
        assertThat(beforeDrain()).as("its Node is not ready").isInstanceOf(Step.Released.class);
        nodes.set(0, node(0, true));
        members.set(0, member(0, false, false));
        assertThat(beforeDrain()).as("its member is unhealthy").isInstanceOf(Step.Released.class);
        members.set(0, member(0, true, true));
        assertThat(beforeDrain()).as("its member is a learner").isInstanceOf(Step.Released.class);
        members.removeFirst();
        assertThat(beforeDrain()).as("it has no member").isInstanceOf(Step.Released.class);
        members.addFirst(member(0, false, true));
        nodes.removeFirst();
        assertThat(beforeDrain()).as("its Node is gone").isInstanceOf(Step.Released.class);
    }

    @Test
    void withoutAnAnswerOfTheCluster_nothingIsDrained() {
        assertThat(NodeRemoval.beforeDrain(LEAVING, null, NOW)).isInstanceOf(Step.Ask.class);
        Observed<EtcdState> answer = new Observed<>(EtcdState.unreachable("no connection"), NOW);
        assertThat(NodeRemoval.beforeDrain(LEAVING, answer, NOW)).isInstanceOf(Step.Unreachable.class);
        nodes.set(0, node(0, false));
        Observed<EtcdState> old = new Observed<>(state(), NOW.minusSeconds(3600));
        assertThat(NodeRemoval.beforeDrain(LEAVING, old, NOW)).isInstanceOf(Step.Ask.class);
        answer = new Observed<>(EtcdState.unknown(health, "no pod"), NOW);
        assertThat(NodeRemoval.beforeDrain(LEAVING, answer, NOW)).isInstanceOf(Step.Wait.class);
    }

    private void assertHeld(String message) {
        assertThat(beforeDrain())
                .isInstanceOfSatisfying(
                        Step.Wait.class, wait -> assertThat(wait.message()).contains(message));
        assertWaits(message);
    }

    private Step beforeDrain() {
        return NodeRemoval.beforeDrain(LEAVING, new Observed<>(state(), NOW), NOW);
    }

    private void assertWaits(String message) {
        assertThat(next())
                .isInstanceOfSatisfying(
                        Step.Wait.class, wait -> assertThat(wait.message()).contains(message));
    }

    private Step next() {
        return NodeRemoval.next(LEAVING, new Observed<>(state(), NOW), NOW);
    }

    private EtcdState state() {
        return new EtcdState(
                health,
                new Membership(
                        members,
                        nodes,
                        nodes.stream()
                                .map(node -> new EtcdPod("etcd-" + node.name(), node.name()))
                                .toList(),
                        List.of()),
                "",
                new ControlPlaneComponents(List.of(operator), servers));
    }

    private static MachineIdentity machine(int n) {
        return new MachineIdentity("m-" + n, "metal3://m-" + n, "n-" + n, Set.of(address(n)), Set.of());
    }

    private static ClusterNode node(int n, boolean ready) {
        return new ClusterNode(
                "n-" + n, "u-" + n, "metal3://m-" + n, Set.of(address(n)), Set.of("n-" + n), null, ready);
    }

    private static EtcdMember member(int n, boolean learner, boolean healthy) {
        return new EtcdMember("e" + n, "n-" + n, Set.of(address(n)), learner, healthy);
    }

    private static String address(int n) {
        return "192.0.2." + n;
    }
}
