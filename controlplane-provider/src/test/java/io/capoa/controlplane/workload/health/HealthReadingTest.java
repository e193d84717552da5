package io.capoa.controlplane.workload.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.client.ClusterCertificates;
import io.capoa.controlplane.workload.client.WorkloadClusterAccess;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.health.ControlPlaneHealth.Loss;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadClusters;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of a simulated cluster. */
class HealthReadingTest {

    private ThreeNodes cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ThreeNodes(Delays.none());
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aHealthyCluster_hasMembersNodesAndOperators_theSameEachTime() {
        ControlPlaneHealth health = health();
        assertThat(health.loss()).isEqualTo(Loss.NONE);
        assertThat(health.etcd().unknown()).isEmpty();
        assertThat(health.etcd().members()).extracting(EtcdMember::name).containsExactly("n-0", "n-1", "n-2");
        assertThat(health.etcd().members()).allMatch(EtcdMember::healthy);
        assertThat(health.nodes()).hasSize(3).allMatch(NodeHealth::ready);
        assertThat(health.operators()).hasSize(4).allMatch(OperatorHealth::healthy);
        assertThat(health()).isEqualTo(health);
    }

    @Test
    void aNodeWithoutPower_isNotReady_andItsMemberDoesNotAnswer() throws Exception {
        cluster.powerOff("n-1");
        ControlPlaneHealth health = health();
        assertThat(health.loss()).isEqualTo(Loss.NONE);
        assertThat(health.etcd().members().stream().filter(member -> !member.healthy()))
                .extracting(EtcdMember::name)
                .containsExactly("n-1");
        assertThat(health.nodes().stream().filter(node -> !node.ready()))
                .extracting(NodeHealth::name)
                .containsExactly("n-1");
    }

    @Test
    void whatIsLost_isSaidByTheApiServer() throws Exception {
        cluster.powerOff("n-0");
        cluster.powerOff("n-1");
        assertThat(health().loss()).isEqualTo(Loss.ETCD_MAJORITY);
        cluster.powerOff("n-2");
        assertThat(health().api()).isEqualTo(new ControlPlaneHealth.Api("it answered 503", false));
        cluster.close();
        assertThat(health().api().failure()).isEqualTo("no connection");
    }

    @Test
    void aKubeconfigThatTheClusterRefuses_orThatDoesNotTrustIt_isNoOutage() throws Exception {
        try (WorkloadClusters others = new WorkloadClusters(0, Delays.none()).start()) {
            Workload other = ThreeNodes.install(others, "two");
            String untrusting = base64(other.kubeconfig().replace(other.server(), cluster.workload.server()));
            assertThat(health(untrusting).loss()).isEqualTo(Loss.ACCESS);
            assertThat(health(untrusting).api().failure())
                    .isEqualTo("its certificate is not one that the kubeconfig trusts");

            String refused = base64(cluster.workload.kubeconfig().replace(user(cluster.workload), user(other)));
            assertThat(health(refused).loss()).isEqualTo(Loss.ACCESS);
            assertThat(health(refused).api().failure()).isEqualTo("it refuses the kubeconfig (401)");
        }
    }

    /** In the lab certificates of API servers are valid for a year, of administrators for ten. */
    @Test
    void certificates_areReadFromTheHandshakeAndTheKubeconfig_inTheLastDaysOfTheirValidity() {
        ControlPlaneHealth now = health();
        assertThat(now.certificates()).isEqualTo(new ClusterCertificates(true, null, null));
        assertThat(now.isWhole()).isTrue();

        ClusterCertificates server = certificates(Duration.ofDays(340));
        assertThat(server.client()).isNull();
        assertThat(server.server()).isBetween(in(Duration.ofDays(364)), in(Duration.ofDays(365)));
        assertThat(certificates(Duration.ofDays(341))).as("without a countdown").isEqualTo(server);

        ClusterCertificates both = certificates(Duration.ofDays(3640));
        assertThat(both.server()).isEqualTo(server.server());
        assertThat(both.client()).isBetween(in(Duration.ofDays(3649)), in(Duration.ofDays(3650)));
    }

    @Test
    void certificatesOfAClusterThatIsNotReached_areThoseThatItShowedLast() {
        String known = base64(cluster.workload.kubeconfig() + "# a client of its own");
        String fresh = base64(cluster.workload.kubeconfig() + "# and another");
        ClusterCertificates server = certificates(known, Duration.ofDays(340));
        assertThat(server.server()).isNotNull();
        cluster.close();
        assertThat(certificates(known, Duration.ofDays(340))).isEqualTo(server);
        assertThat(health(fresh).certificates()).isEqualTo(ClusterCertificates.UNKNOWN);
        WorkloadClusterAccess.retire(known);
        WorkloadClusterAccess.retire(fresh);
    }

    private ClusterCertificates certificates(Duration later) {
        return certificates(cluster.kubeconfig(), later);
    }

    private static ClusterCertificates certificates(String kubeconfig, Duration later) {
        return health(kubeconfig, Clock.offset(Clock.systemUTC(), later)).certificates();
    }

    private static Instant in(Duration later) {
        return Instant.now().plus(later);
    }

    /** The certificate and key of a kubeconfig. */
    private static String user(Workload workload) {
        String kubeconfig = workload.kubeconfig();
        return kubeconfig.substring(kubeconfig.indexOf("client-certificate-data"), kubeconfig.indexOf("contexts:"));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private ControlPlaneHealth health() {
        return health(cluster.kubeconfig());
    }

    private static ControlPlaneHealth health(String kubeconfig) {
        return health(kubeconfig, Clock.systemUTC());
    }

    private static ControlPlaneHealth health(String kubeconfig, Clock clock) {
        return InstalledCluster.health(kubeconfig, new HealthRounds(false), Map.of(), clock);
    }
}
