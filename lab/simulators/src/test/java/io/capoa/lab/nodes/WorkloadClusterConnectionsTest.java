package io.capoa.lab.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections come and go with the kubeconfig, whatever becomes of the Cluster and of the API that it names. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class WorkloadClusterConnectionsTest {

    private static final String NAMESPACE = "connections";
    private static final Key CLUSTER = new Key(NAMESPACE, "c");
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String NO_NODES =
            "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}";
    private static final String BOOKMARK = "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Node\",\"apiVersion\":\"v1\","
            + "\"metadata\":{\"resourceVersion\":\"1\"}}}\n";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger watches = new AtomicInteger();

    private HttpServer api;
    private KubernetesClient client;
    private Caches caches;
    private WorkloadClusterConnections connections;

    @BeforeEach
    void start(TestCluster cluster) throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setExecutor(threads);
        api.createContext("/api/v1/nodes", this::respond);
        api.start();
        client = cluster.admin();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
        caches = new Caches(client, NAMESPACE);
        connections = new WorkloadClusterConnections(caches);
        caches.start();
    }

    @AfterEach
    void stop() {
        connections.close();
        caches.close();
        client.secrets().inNamespace(NAMESPACE).delete();
        api.stop(0);
        threads.close();
    }

    /** No Nodes, and a watch that lasts until the client closes it. */
    private void respond(HttpExchange exchange) throws IOException {
        boolean watch = String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true");
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream body = exchange.getResponseBody()) {
            if (!watch) {
                body.write(NO_NODES.getBytes(StandardCharsets.UTF_8));
                return;
            }
            watches.incrementAndGet();
            try {
                while (true) {
                    body.write(BOOKMARK.getBytes(StandardCharsets.UTF_8));
                    body.flush();
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                watches.decrementAndGet();
            }
        }
    }

    @Test
    void aConnection_endsWithItsKubeconfig() {
        Secret kubeconfig = client.resource(kubeconfig("first")).create();
        awaitConnected();

        var unused = client.resource(kubeconfig).delete();

        await("the watch is closed")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(watches).hasValue(0));
        assertThat(connections.of(CLUSTER)).isNull();
    }

    @Test
    void aConnectionByAnotherKubeconfig_replacesIt() {
        client.resource(kubeconfig("first")).create();
        awaitConnected();

        client.resource(kubeconfig("second")).update();

        await("the watch is closed")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(watches).hasValue(0));
        awaitConnected();
    }

    private void awaitConnected() {
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(connections.of(CLUSTER)).isNotNull();
            assertThat(watches).hasValue(1);
        });
    }

    private Secret kubeconfig(String user) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(CLUSTER.name() + "-kubeconfig")
                .withNamespace(NAMESPACE)
                .addToLabels(WorkloadClusterConnections.CLUSTER_NAME, CLUSTER.name())
                .endMetadata()
                .addToStringData("value", """
                        apiVersion: v1
                        kind: Config
                        current-context: c
                        contexts: [{name: c, context: {cluster: c, user: %1$s}}]
                        clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%2$d'}}]
                        users: [{name: %1$s, user: {token: %1$s}}]
                        """.formatted(user, api.getAddress().getPort()))
                .build();
    }
}
