package io.capoa.lab.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.QuorumGuard;
import io.capoa.controlplane.workload.removal.MachineIdentity;
import io.capoa.controlplane.workload.removal.NodeRemoval.Leaving;
import io.capoa.controlplane.workload.removal.NodeRemoval.Step;
import io.capoa.controlplane.workload.removal.NodeRemover;
import io.capoa.controlplane.workload.removal.NodeRemover.Outcome;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Removal of a control plane Node and its etcd member from a cluster whose operator removes no member by itself. */
@Tag("full")
class NodeRemovalCallsTest {

    private WorkloadClusters clusters;
    private Workload cluster;
    private String kubeconfig;

    @BeforeEach
    void start() throws IOException {
        clusters = new WorkloadClusters(0).start();
        cluster = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        kubeconfig = Base64.getEncoder().encodeToString(cluster.kubeconfig().getBytes(UTF_8));
        cluster.complete();
        for (int n = 0; n < 3; n++) {
            join(n);
        }
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void theClusterReportsItsVersion_andTheNumberOfEtcdMembers() {
        assertThat(InstalledCluster.upgrade(kubeconfig, "4.20.3").isAtRest("4.20.3"))
                .isTrue();
        assertThat(InstalledCluster.etcd(kubeconfig))
                .returns(3, EtcdHealth::members)
                .satisfies(etcd -> assertThat(etcd.isGood(3)).isTrue())
                .satisfies(etcd -> assertThat(etcd.isGood(4)).isFalse());
    }

    @Test
    void theNodeIsDeletedFirst_thenTheMember_whichTheOperatorWouldOtherwiseAddAgain() {
        assertThat(proceed(0, 2))
                .isEqualTo(new Outcome.Changed("Node n-0 is deleted; its etcd member is removed next"));
        assertThat(node(0)).isNull();
        assertThat(members()).isEqualTo(3);
        assertThat(proceed(0, 2)).isEqualTo(new Outcome.Changed("etcd member n-0 is removed"));
        assertThat(members()).isEqualTo(2);
        assertThat(proceed(0, 2)).isEqualTo(new Outcome.Unchanged(new Step.Released()));
    }

    @Test
    void asLongAsTooFewWouldBeLeft_nothingChanges_untilAnotherHasJoined() {
        depart(0, 2);
        assertWaits(proceed(1, 2), "etcd has 2 members, and 2 have to be left: another Machine has to join first");
        assertThat(node(1)).isNotNull();
        assertThat(QuorumGuard.override(kubeconfig, true)).isNull();
        join(3);
        assertThat(members()).isEqualTo(3);
        assertThat(QuorumGuard.override(kubeconfig, false)).isNull();
        depart(1, 2);
        assertThat(members()).isEqualTo(2);
    }

    @Test
    void theLastMember_staysUnlessThePersonSaysOtherwise() {
        depart(0, 1);
        depart(1, 1);
        assertWaits(proceed(2, 1), "last member", Annotations.SKIP_ETCD_REMOVAL);
    }

    @Test
    void aMemberThatLeads_handsOver_soThatNoneIsElected() {
        join(3);
        depart(0, 2);
        depart(1, 2);
        assertThat(cluster.elections()).isZero();
    }

    @Test
    void withAnotherMemberBroken_onlyTheBrokenOneLeaves() {
        cluster.machineOff("n-2");
        assertWaits(proceed(0, 2), "2 of 3 members are available, n-2 is unhealthy");
        assertThat(node(0)).isNotNull();
        depart(2, 2);
        assertThat(members()).isEqualTo(2);
    }

    @Test
    void withoutTheOperatorsConfigMap_aHealthyNodeStays_whileEtcdIsDegraded() {
        cluster.machineOff("n-2");
        cluster.store().remove(Resource.CONFIG_MAPS.path(), "etcd-endpoints");

        assertWaits(proceed(0, 2), "2 of 3 members are available, n-2 is unhealthy");

        assertThat(node(0)).isNotNull();
        assertThat(members()).isEqualTo(3);
    }

    @Test
    void whereMembersCannotBeListed_nothingChanges() {
        for (int n = 0; n < 3; n++) {
            cluster.store().remove(Resource.PODS.path(), "etcd-n-" + n);
        }

        assertWaits(proceed(0, 2), "the members of etcd are not known", "no etcd pod");
        assertThat(InstalledCluster.etcd(kubeconfig).isGood(3)).isFalse();

        assertThat(node(0)).isNotNull();
    }

    @Test
    void aMemberThatBreaksAfterTheNodeIsDeleted_keepsTheOther() {
        proceed(0, 2);
        cluster.machineOff("n-1");
        assertWaits(proceed(0, 2), "etcd member n-1 is unhealthy");
        assertThat(members()).isEqualTo(3);
        cluster.machineOn("n-1", "master");
        depart(0, 2);
    }

    @Test
    void withAFunctionalMachineApi_theOperatorRemovesTheMember_onceAReplacementVotes() {
        cluster.withMachineApi();
        join(3);
        assertThat(members()).as("a node without Machine is ignored there").isEqualTo(3);

        assertThat(proceed(0, 2)).isInstanceOf(Outcome.Changed.class);
        assertWaits(proceed(0, 2), "etcd operator removes its member");
        assertThat(members()).isEqualTo(3);
        assertThat(node(0)).isNotNull();
        cluster.withMachineApi();
        assertThat(members()).isEqualTo(3);
        assertThat(node(0)).isNull();
        assertThat(proceed(0, 2)).isEqualTo(new Outcome.Unchanged(new Step.Released()));
    }

    @Test
    void anObstacle_isLookedForBeforeEachChange() {
        Outcome outcome =
                NodeRemover.proceed(kubeconfig, leaving(0, 2), () -> "reconciliation is paused", Clock.systemUTC());
        assertWaits(outcome, "reconciliation is paused");
        assertThat(node(0)).isNotNull();
    }

    @Test
    void aClusterThatDoesNotRespond_isReportedAsUnreachable() {
        for (int n = 0; n < 3; n++) {
            cluster.machineOff("n-" + n);
        }
        assertThat(proceed(0, 2))
                .isInstanceOfSatisfying(
                        Outcome.Unchanged.class,
                        unchanged -> assertThat(unchanged.step()).isInstanceOf(Step.Unreachable.class));
        assertThat(InstalledCluster.upgrade(kubeconfig, "4.20.3").failure()).isNotEmpty();
    }

    /** Repeats the steps until the Node has been removed. */
    private void depart(int n, int remaining) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int attempt = 0; attempt < 5; attempt++) {
            outcomes.add(proceed(n, remaining));
        }
        assertThat(outcomes).last().isEqualTo(new Outcome.Unchanged(new Step.Released()));
    }

    private Outcome proceed(int n, int remaining) {
        return NodeRemover.proceed(kubeconfig, leaving(n, remaining), () -> null, Clock.systemUTC());
    }

    private static Leaving leaving(int n, int remaining) {
        return new Leaving(
                machine(n),
                IntStream.range(0, 4)
                        .filter(other -> other != n)
                        .mapToObj(NodeRemovalCallsTest::machine)
                        .toList(),
                remaining,
                remaining);
    }

    private static MachineIdentity machine(int n) {
        return new MachineIdentity("m-" + n, "metal3://" + n, "n-" + n, Set.of("192.0.2." + n), Set.of());
    }

    private static void assertWaits(Outcome outcome, String... message) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Unchanged.class,
                        unchanged -> assertThat(unchanged.step())
                                .isInstanceOfSatisfying(
                                        Step.Wait.class,
                                        wait -> assertThat(wait.message()).contains(message)));
    }

    private int members() {
        return InstalledCluster.etcd(kubeconfig).members();
    }

    private Map<String, Object> node(int n) {
        return cluster.store().get(Resource.NODES.path(), "n-" + n);
    }

    private void join(int n) {
        cluster.machineOn("n-" + n, "master");
        cluster.store()
                .create(
                        Resource.NODES.path(),
                        Json.copy(Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "Node",
                                "metadata",
                                Map.of("name", "n-" + n, "labels", Map.of("node-role.kubernetes.io/master", "")),
                                "spec",
                                Map.of("providerID", "metal3://" + n),
                                "status",
                                Map.of(
                                        "addresses",
                                        List.of(Map.of("type", "InternalIP", "address", "192.0.2." + n)),
                                        "conditions",
                                        List.of(Map.of("type", "Ready", "status", "True"))))));
        cluster.nodesChanged();
    }
}
