package io.capoa.controlplane.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections to a cluster between its queries, seen from a load balancer in front of its API server. */
@SuppressWarnings("NullAway.Init")
class KeptConnectionTest {

    /** Longer than a connection lasts that is not kept on purpose. */
    private static final long BETWEEN_QUERIES_MILLIS = 1_500;

    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private WorkloadClusters clusters;
    private ServerSocket balancer;
    private String kubeconfig;

    @BeforeEach
    void start() throws Exception {
        clusters = new WorkloadClusters(0).start();
        Workload workload = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
        WorkloadApi.of(workload.kubeletKubeconfig()).send("PUT", "/machines/n-0?role=master", Map.of());
        balancer = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        String direct = workload.kubeconfig();
        URI server = URI.create(direct.lines()
                .filter(line -> line.contains("server:"))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*server: *\"?([^\"]*)\"?.*", "$1"));
        kubeconfig = Base64.getEncoder()
                .encodeToString(direct.replace(":" + server.getPort(), ":" + balancer.getLocalPort())
                        .getBytes(UTF_8));
        Thread.ofVirtual().start(() -> balance(server.getPort()));
    }

    @AfterEach
    void stop() throws IOException {
        WorkloadClusterAccess.retire(kubeconfig);
        balancer.close();
        clusters.close();
    }

    private void balance(int port) {
        while (!balancer.isClosed()) {
            try {
                Socket client = balancer.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                connections.add(client);
                Thread.ofVirtual().start(() -> copy(client, server));
                Thread.ofVirtual().start(() -> copy(server, client));
            } catch (IOException closed) {
                // The test is over.
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            // The other direction has ended.
        }
    }

    private boolean isReady() {
        return InstalledCluster.readiness(kubeconfig).ready();
    }

    @Test
    void theNextQuery_usesTheConnectionOfTheLast() throws InterruptedException {
        assertThat(isReady()).isTrue();
        Thread.sleep(BETWEEN_QUERIES_MILLIS);
        assertThat(isReady()).isTrue();
        assertThat(connections).hasSize(1);
    }

    @Test
    void aConnectionThatWasClosedMeanwhile_isReplaced() throws Exception {
        assertThat(isReady()).isTrue();
        connections.getFirst().close();
        assertThat(isReady()).isTrue();
        assertThat(connections).hasSize(2);
    }

    @Test
    void theClientOfAClusterThatIsGone_leavesNoConnection() {
        assertThat(isReady()).isTrue();
        WorkloadClusterAccess.retire(kubeconfig);
        await().until(connections.getFirst()::isClosed);
    }
}
