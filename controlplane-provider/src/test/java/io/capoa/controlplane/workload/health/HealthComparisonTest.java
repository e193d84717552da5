package io.capoa.controlplane.workload.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.lab.controller.Delays;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds of health queries to a simulated cluster, whose requests are counted. */
class HealthComparisonTest {

    /** A dead host's Node stays Ready, and the etcd operator does not become degraded. */
    private static final Delays UNNOTICED =
            Delays.none().set(Delays.Of.GRACE, Duration.ofHours(1)).set(Delays.Of.INERTIA, Duration.ofHours(1));

    private final HealthRounds rounds = new HealthRounds(false);
    /** Last part of each path. */
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private ThreeNodes cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ThreeNodes(UNNOTICED);
        cluster.awaitEtcdReport("3 members are available");
        next();
        cluster.workload.onRequest(request -> requests.add(request.replaceAll(".*/", "")));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void anUnchangedCluster_isAskedForReadiness_andItsOperators_alone() {
        ControlPlaneHealth before = next();
        for (int round = 2; round < 30; round++) {
            assertThat(next()).isEqualTo(before);
        }
        assertThat(counts()).isEqualTo(Map.of("readyz", 15L, "clusteroperators", 14L));

        assertThat(next()).isEqualTo(before);
        assertThat(counts())
                .as("after half an hour, all of it")
                .isEqualTo(Map.of("readyz", 17L, "clusteroperators", 14L + 4, "nodes", 2L, "pods", 1L, "exec", 2L));
        assertThat(requests.lastIndexOf("clusteroperators"))
                .as("what changes after the members were asked differs from what the operators reported")
                .isLessThan(requests.indexOf("exec"));
    }

    @Test
    void aMemberThatDies_whileItsNodeIsReady_isNoticedByTheSecondRound() throws Exception {
        cluster.powerOff("n-1");
        cluster.awaitEtcdReport("2 of 3 members are available, n-1 is unhealthy");
        next();
        ControlPlaneHealth health = next();
        assertThat(health.etcd().members().stream().filter(member -> !member.healthy()))
                .extracting(EtcdMember::name)
                .containsExactly("n-1");
        assertThat(health.nodes()).allMatch(NodeHealth::ready);
        assertThat(health.operators()).as("no status has changed").allMatch(OperatorHealth::healthy);
    }

    private Map<String, Long> counts() {
        return requests.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private ControlPlaneHealth next() {
        return InstalledCluster.health(cluster.kubeconfig(), rounds, Map.of(), Clock.systemUTC());
    }
}
