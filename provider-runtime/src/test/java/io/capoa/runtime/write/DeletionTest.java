package io.capoa.runtime.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is sent to delete an object, on an API server that answers with one status code. */
class DeletionTest {

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private volatile int code = 200;

    private HttpServer server;
    private KubernetesClient client;
    private Deletion deletion;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] answer = "{\"kind\":\"Status\",\"apiVersion\":\"v1\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        deletion = new Deletion(client);
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    @Test
    void theRequest_namesTheUid_andWhereWanted_theVersion() {
        assertThat(deletion.send(object("uid-1"), false)).isTrue();
        assertThat(deletion.send(object("uid-2"), true)).isTrue();

        assertThat(bodies.getFirst()).contains("\"uid\":\"uid-1\"").doesNotContain("resourceVersion");
        assertThat(bodies.getLast()).contains("\"uid\":\"uid-2\"", "\"resourceVersion\":\"7\"");
    }

    @Test
    void theApplier_countsDeletionsAndRefusedWrites_butNothingThatIsAsItShouldBe() {
        Applier applier = new Applier(client, "test");
        ConfigMap object = object("uid-1");
        var unused = applier.patch(object, Map.of("metadata", Map.of("name", "a")));
        assertThat(applier.requests()).isZero();

        applier.delete(object);
        assertThat(applier.requests()).isEqualTo(1);

        code = 409;
        assertThatThrownBy(() -> applier.patch(object, Map.of("data", Map.of("key", "value"))))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(applier.requests()).isEqualTo(2);
    }

    @Test
    void anObjectThatACacheStillShows_isNotDeletedAgain() {
        assertThat(deletion.send(object("uid-1"), true)).isTrue();
        assertThat(deletion.send(object("uid-1"), true)).isTrue();
        assertThat(bodies).hasSize(1);

        assertThat(deletion.send(object("uid-2"), true)).isTrue();
        assertThat(bodies).hasSize(2);
    }

    @Test
    void aChangedObject_isNotDeleted_andTheNextAttemptIsSent() {
        code = 409;
        assertThat(deletion.send(object("uid-1"), true)).isFalse();
        code = 200;
        assertThat(deletion.send(object("uid-1"), true)).isTrue();
        assertThat(bodies).hasSize(2);
    }

    @Test
    void aRefusal_isThrown_andTheNextAttemptIsSent() {
        code = 403;
        assertThatThrownBy(() -> deletion.send(object("uid-1"), false)).isInstanceOf(KubernetesClientException.class);
        code = 404;
        assertThat(deletion.send(object("uid-1"), false)).isTrue();
        assertThat(bodies).hasSize(2);
    }

    private static ConfigMap object(String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("demo")
                .withName("a")
                .withUid(uid)
                .withResourceVersion("7")
                .endMetadata()
                .build();
    }
}
