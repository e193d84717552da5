package io.capoa.lab.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.controlplane.workload.Departure;
import io.capoa.controlplane.workload.EtcdHealth;
import io.capoa.controlplane.workload.InstalledCluster;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a control plane node leaves an installed cluster, and what that says of itself. */
class DepartureTest {

    private WorkloadClusters clusters;
    private Workload cluster;
    private String kubeconfig;

    @BeforeEach
    void start() throws IOException {
        clusters = new WorkloadClusters(0).start();
        cluster = clusters.create("one", Release.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        kubeconfig = Base64.getEncoder().encodeToString(cluster.kubeconfig().getBytes(UTF_8));
        cluster.complete();
        for (int n = 0; n < 3; n++) {
            cluster.machineOn("n-" + n, true);
            node(n, "True");
        }
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void theClusterTellsWhatItRuns_andHowManyMembersEtcdHas() {
        assertThat(InstalledCluster.version(kubeconfig)).isEqualTo("4.20.3");
        assertThat(InstalledCluster.etcd(kubeconfig))
                .returns(3, EtcdHealth::members)
                .satisfies(etcd -> assertThat(etcd.isGood(3)).isTrue())
                .satisfies(etcd -> assertThat(etcd.isGood(4)).isFalse());
    }

    @Test
    void aNodeLeavesWithItsMember_asLongAsEnoughAreLeft() {
        assertThat(depart(0, 2)).isEqualTo(new Departure.Gone());
        assertThat(depart(1, 2))
                .isInstanceOfSatisfying(
                        Departure.Wait.class,
                        wait -> assertThat(wait.message())
                                .isEqualTo(
                                        "etcd has 2 members, and 2 have to be left: another Machine has to join first"));
        assertThat(cluster.store().get(Resource.NODES.path(), "n-1")).isNotNull();
        node(3, "True");
        assertThat(depart(1, 2)).isEqualTo(new Departure.Gone());
        assertThat(InstalledCluster.etcd(kubeconfig).members()).isEqualTo(2);
    }

    @Test
    void theLastMember_staysUnlessThePersonSaysOtherwise() {
        depart(0, 1);
        depart(1, 1);
        assertThat(depart(2, 1))
                .isInstanceOfSatisfying(
                        Departure.Wait.class,
                        wait -> assertThat(wait.message()).contains("last member", Annotations.SKIP_ETCD_REMOVAL));
    }

    @Test
    void withAnotherMemberBroken_onlyTheBrokenOneLeaves() {
        node(2, "False");
        assertThat(depart(0, 2))
                .isInstanceOfSatisfying(
                        Departure.Wait.class, wait -> assertThat(wait.message()).contains("1 members are unhealthy"));
        assertThat(depart(2, 2)).isEqualTo(new Departure.Gone());
    }

    @Test
    void aClusterThatDoesNotAnswer_isSaidToBeUnreachable() {
        for (int n = 0; n < 3; n++) {
            cluster.machineOff("n-" + n);
        }
        assertThat(depart(0, 2)).isInstanceOf(Departure.Unreachable.class);
        assertThat(InstalledCluster.version(kubeconfig)).isNull();
    }

    private Departure depart(int n, int remaining) {
        return InstalledCluster.depart(kubeconfig, "n-" + n, List.of("192.0.2." + n), remaining);
    }

    private void node(int n, String ready) {
        Map<String, Object> node = Json.copy(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Map.of("name", "n-" + n, "labels", Map.of("node-role.kubernetes.io/master", "")),
                "status",
                Map.of(
                        "addresses", List.of(Map.of("type", "InternalIP", "address", "192.0.2." + n)),
                        "conditions", List.of(Map.of("type", "Ready", "status", ready)))));
        if (cluster.store().get(Resource.NODES.path(), "n-" + n) == null) {
            cluster.store().create(Resource.NODES.path(), node);
        } else {
            cluster.update(Resource.NODES, node);
        }
        cluster.nodesChanged();
    }
}
