package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.controlplane.testing.OffsetClock;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Health of an installed control plane with three nodes, and outages of its cluster. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class ClusterHealthTest {

    private static final String ETCD = "EtcdClusterHealthy";
    private static final String COMPONENTS = "ControlPlaneComponentsHealthy";
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final OffsetClock clock = new OffsetClock();
    private SimulatedCluster workload;
    private ControlPlaneScene scene;
    private List<String> nodes;

    @BeforeEach
    void install(TestCluster cluster) throws Exception {
        workload = new SimulatedCluster();
        scene = ControlPlaneScene.withClock(cluster, clock);
        assertThat(scene.reason(ETCD)).isEqualTo("HealthUnknown");
        workload.install(scene);
        nodes = scene.peers.machines().stream()
                .map(machine -> machine.getMetadata().getName())
                .sorted()
                .toList();
        within(() -> scene.isTrue(ETCD) && scene.isTrue(COMPONENTS));
    }

    @AfterEach
    void stop() {
        scene.close();
        workload.close();
    }

    @Test
    void aLostMember_andADegradedOperator_areNamed_andTheClusterStaysAvailable() throws Exception {
        String lost = nodes.get(1);
        workload.powerOff(lost);
        within(() -> scene.reason(ETCD).equals("NotHealthy"));
        assertThat(scene.message(ETCD)).contains("etcd member " + lost + " does not answer: repair its host");
        within(() -> scene.message(COMPONENTS).contains("Node " + lost + " is not Ready"));
        workload.powerOn(lost);
        workload.nodeReady(lost);
        within(() -> scene.isTrue(ETCD) && scene.isTrue(COMPONENTS));

        workload.degrade("kube-scheduler", true);
        within(() -> scene.message(COMPONENTS)
                .contains("ClusterOperator kube-scheduler is degraded (kube-scheduler is degraded)"));
        assertThat(scene.isTrue(ETCD)).isTrue();
        assertThat(scene.isTrue("Available")).isTrue();
        workload.degrade("kube-scheduler", false);
        within(() -> scene.isTrue(COMPONENTS));
    }

    /** Nothing else happens afterwards that would reconcile the control plane. */
    @Test
    void afterTheLossOfItsKubeconfig_theClusterIsAskedAgain() throws Exception {
        ControlPlanePeers peers = scene.peers;
        String before = peers.kubeconfig().getMetadata().getUid();
        peers.client.resource(peers.kubeconfig()).delete();
        within(() -> peers.kubeconfig() != null
                && !peers.kubeconfig().getMetadata().getUid().equals(before));

        workload.degrade("kube-scheduler", true);
        within(() -> scene.message(COMPONENTS).contains("ClusterOperator kube-scheduler is degraded"));
    }

    @Test
    void anOutageOfHalfAMinute_doesNotMakeItUnavailable() throws Exception {
        Condition before = available();
        powerOffAll();
        workload.untilAsked();
        clock.pass(HALF_A_MINUTE);
        within(() -> scene.reason(COMPONENTS).equals("ConnectionDown"));
        assertThat(available()).isEqualTo(before);

        powerOnAll();
        within(() -> scene.isTrue(ETCD) && scene.isTrue(COMPONENTS));
        assertThat(available()).isEqualTo(before);
    }

    @Test
    void anOutageOfMoreThanAMinute_doesUntilTheApiServerAnswers_alsoOverARestart() throws Exception {
        powerOffAll();
        workload.untilAsked();
        later(HALF_A_MINUTE);
        within(() -> scene.reason(COMPONENTS).equals("ConnectionDown"));
        later(HALF_A_MINUTE.multipliedBy(2));
        within(() -> scene.reason("Available").equals("APIServerUnreachable"));
        assertThat(scene.message("Available")).contains("does not take requests (it answered 503): check");
        assertThat(scene.message("Ready")).contains("Available: ");
        Condition before = available();

        scene.running.stop();
        scene.running.start();
        workload.untilAsked();
        scene.untilReconciled();
        assertThat(available())
                .as("no True in between")
                .usingRecursiveComparison()
                .ignoringFields("observedGeneration")
                .isEqualTo(before);
        powerOnAll();
        within(() -> scene.isTrue("Available") && scene.isTrue(ETCD));
    }

    @Test
    void etcdWithoutMajority_isNamedAsTheReason() throws Exception {
        workload.powerOff(nodes.get(0));
        workload.powerOff(nodes.get(1));
        workload.untilAsked();
        clock.pass(HALF_A_MINUTE.multipliedBy(2));
        within(() -> scene.reason("Available").equals("EtcdMajorityLost"));
        assertThat(scene.message("Available")).contains("no majority of healthy members: power on or repair");
        assertThat(scene.reason(ETCD)).isEqualTo("NotHealthy");

        powerOnAll();
        within(() -> scene.isTrue("Available") && scene.isTrue(ETCD));
    }

    /** Of the clock; the manager looks then at once, not with its next requeue, which is a matter of seconds. */
    private void later(Duration time) {
        clock.pass(time);
        scene.peers.edit("metadata: {annotations: {look: '%s'}}".formatted(clock.instant()));
    }

    private Condition available() {
        return ControlPlaneScene.condition(scene.peers, "Available").orElseThrow();
    }

    private void powerOffAll() throws Exception {
        for (String node : nodes) {
            workload.powerOff(node);
        }
    }

    /** The API server takes the kubelets' reports when etcd has its majority again. */
    private void powerOnAll() throws Exception {
        for (String node : nodes) {
            workload.powerOn(node);
        }
        for (String node : nodes) {
            workload.nodeReady(node);
        }
    }
}
