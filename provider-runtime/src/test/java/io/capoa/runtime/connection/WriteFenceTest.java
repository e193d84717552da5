package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the management client of a replica sends before and after its Lease has run out. */
class WriteFenceTest {

    private static final ConfigMap OBJECT = new ConfigMapBuilder()
            .withNewMetadata()
            .withName("a")
            .withNamespace("n")
            .endMetadata()
            .build();

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile boolean leading = true;
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                requests.add(exchange.getRequestMethod());
                exchange.getRequestBody().readAllBytes();
                byte[] answer = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://localhost:" + server.getAddress().getPort())
                .build();
        client = ManagementClient.of(config, "test", "manager", new SimpleMeterRegistry(), () -> leading);
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    static Stream<Named<Consumer<KubernetesClient>>> writes() {
        return Stream.of(
                Named.of("POST", client -> client.resource(OBJECT).create()),
                Named.of("PUT", client -> client.resource(OBJECT).update()),
                Named.of(
                        "PATCH",
                        client -> client.configMaps()
                                .inNamespace("n")
                                .withName("a")
                                .patch(PatchContext.of(PatchType.JSON_MERGE), "{}")),
                Named.of("PATCH", client -> client.resource(OBJECT).serverSideApply()),
                Named.of("DELETE", client -> client.resource(OBJECT).delete()));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteAfterTheLease_isRefusedHere_andNothingIsSent(Consumer<KubernetesClient> write) {
        write.accept(client);
        assertThat(writesSent()).isEqualTo(1);

        leading = false;

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> write.accept(client))
                .havingRootCause()
                .withMessageContaining("was not sent: this replica does not hold the Lease for certain");
        assertThat(writesSent()).isEqualTo(1);

        leading = true;
        write.accept(client);
        assertThat(writesSent()).as("a late renewal").isEqualTo(2);
    }

    private long writesSent() {
        return requests.stream().filter(method -> !method.equals("GET")).count();
    }

    @Test
    void aStandby_readsAndReviews() {
        leading = false;

        client.configMaps().inNamespace("n").withName("a").get();
        client.resource(new SelfSubjectAccessReview()).create();

        assertThat(requests).containsExactly("GET", "POST");
    }
}
