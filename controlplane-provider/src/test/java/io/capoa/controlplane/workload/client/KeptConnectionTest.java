package io.capoa.controlplane.workload.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections to a cluster between its queries, seen from a load balancer in front of its API server. */
@SuppressWarnings("NullAway.Init")
class KeptConnectionTest {

    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private WorkloadClusters clusters;
    private Workload workload;
    private ServerSocket balancer;
    private String kubeconfig;

    @BeforeEach
    void start() throws Exception {
        clusters = new WorkloadClusters(0).start();
        workload = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
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
    void theNextQuery_usesTheConnectionOfTheLast() throws IOException {
        assertThat(isReady()).isTrue();
        awaitEndOfAConnectionThatIsKeptBriefly();
        assertThat(isReady()).isTrue();
        assertThat(connections).hasSize(1);
        assertThat(workload.use("capoa-controlplane").requests()).containsExactly(Map.entry("GET /readyz", 2));
    }

    @Test
    void theConnectionStays_whenAClientOfAnotherPatienceIsClosed() {
        assertThat(isReady()).isTrue();
        try (KubernetesClient own = WorkloadClusterAccess.open(kubeconfig, 5_000)) {
            assertThat(own.raw("/readyz")).isEqualTo("ok");
        }
        assertThat(isReady()).isTrue();
        assertThat(connections).as("one of each client").hasSize(2);
    }

    @Test
    void theConnectionStays_whenTheClientOfAnotherClusterIsRetired() {
        String other = Base64.getEncoder().encodeToString(workload.kubeconfig().getBytes(UTF_8));
        assertThat(isReady()).isTrue();
        assertThat(InstalledCluster.readiness(other).ready()).isTrue();
        WorkloadClusterAccess.retire(other);
        assertThat(isReady()).isTrue();
        assertThat(connections).hasSize(1);
    }

    /** When a cluster is installed, all that is to be known of it is asked for at once. */
    @Test
    void queriesThatComeTogether_useOneConnection() throws Exception {
        try (var queries = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> answers = Stream.generate(() -> queries.submit(this::isReady))
                    .limit(8)
                    .toList();
            for (Future<Boolean> answer : answers) {
                assertThat(answer.get()).isTrue();
            }
        }
        assertThat(connections).hasSize(1);
    }

    /** Opens a connection that is kept for a second, and returns when it has been closed. */
    private static void awaitEndOfAConnectionThatIsKeptBriefly() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
        server.start();
        var pool = new ConnectionPool(1, 1, TimeUnit.SECONDS);
        var client = new OkHttpClient.Builder().connectionPool(pool).build();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try (var answer = client.newCall(new Request.Builder().url(url).build()).execute()) {
            assertThat(answer.code()).isEqualTo(204);
            assertThat(pool.connectionCount()).isEqualTo(1);
        }
        await().until(() -> pool.connectionCount() == 0);
        server.stop(0);
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
