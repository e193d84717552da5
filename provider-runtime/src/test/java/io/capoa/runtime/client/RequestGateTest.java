package io.capoa.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the management client sends, and what it refuses to send. */
class RequestGateTest {

    private final RequestGate gate = new RequestGate(URI.create("https://192.0.2.1:6443/k8s/"));

    @ParameterizedTest
    @CsvSource(delimiter = ' ', textBlock = """
            GET /version
            GET /api
            GET /apis
            GET /api/v1
            GET /apis/cluster.x-k8s.io/v1beta2
            GET /api/v1/secrets?labelSelector=cluster.x-k8s.io%2Fcluster-name&watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=12
            GET /api/v1/secrets?labelSelector=%21a%2Fb%2C%21c
            GET /api/v1/namespaces/demo/secrets?labelSelector=a%20in%20%28b%2Cc%29%2Cd%3De
            GET /api/v1/namespaces/demo/secrets?fieldSelector=metadata.name%3Dpull-secret&watch=true
            GET /api/v1/namespaces/demo/secrets/pull-secret
            GET /api/v1/namespaces/demo
            GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/machines.cluster.x-k8s.io
            POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews
            POST /api/v1/namespaces/demo/secrets?fieldManager=capoa-bootstrap
            PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/demo/machines/a.b?fieldManager=capoa-controlplane&force=true
            PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/demo/machines/a/status?fieldManager=capoa-controlplane
            DELETE /apis/hive.openshift.io/v1/clusterimagesets/demo-a-1a2b3c4d
            """)
    void whatTheApiHas_passes(String method, String address) {
        assertThatCode(() -> gate.check(method, uri(address))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', textBlock = """
            GET /api/v1/namespaces/demo/secrets/../../other/secrets/x
            GET /api/v1/namespaces/demo/secrets/..
            GET /api/v1/namespaces/demo/secrets/%2e%2e/%2e%2e/other/secrets/x
            GET /api/v1/namespaces/demo/secrets/a%2Fb
            GET /api/v1/namespaces/demo/secrets/a?watch=true
            GET /api/v1/namespaces/demo/secrets/a?labelSelector=b
            GET /api/v1/namespaces/demo/secrets/a#b
            GET /api/v1/namespaces/demo/secrets/a/status
            GET /api/v1/namespaces/demo/secrets/a;b
            GET /api/v1/namespaces/demo/secrets/
            GET /api/v1/namespaces/demo/secrets/A
            GET /api/v1/namespaces//secrets/a
            GET /api/v1/namespaces/a.b/secrets/a
            GET /api/v1/namespaces/../secrets
            GET /api/v1/namespaces/demo/secrets?fieldSelector=metadata.name%3Da%2Cmetadata.namespace%3Db
            GET /api/v1/namespaces/demo/secrets?labelSelector=a%3Db%26watch%3Dtrue
            GET /api/v1/namespaces/demo/secrets?watch=true&watch=false
            GET /api/v1/namespaces/demo/secrets?pretty=true
            PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/demo/machines/a?watch=true
            PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/demo/machines/a/status/b
            POST /api
            GET /apis/..%2Fv1/v1/x
            GET /apis/a/b/c
            GET /metrics
            GET /
            """)
    void whatTheApiHasNot_isRefused(String method, String address) {
        assertThatThrownBy(() -> gate.check(method, uri(address)))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("was not sent");
    }

    @Test
    void anAddressWithoutTheServersPath_isRefused() {
        assertThatThrownBy(() -> gate.check("GET", URI.create("https://192.0.2.1:6443/api/v1/secrets")))
                .isInstanceOf(InvalidNameException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../other/secrets/kubeconfig",
                "a?watch=true",
                "?watch=true",
                "a/../b",
                "%2e%2e/x",
                "a#b",
                "a\r\nX: y",
                "a\u0000b",
                " a",
                "A",
                "."
            })
    void ofAClientWithTheGate_nothingLeavesForAHostileName(String name) throws IOException {
        List<String> received = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(exchange.getRequestURI().toString());
            byte[] body = "{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort();
        try (KubernetesClient client = client(address)) {
            assertThatThrownBy(() -> ByName.select(client.secrets().inNamespace("demo"), name)
                            .get())
                    .isInstanceOf(InvalidNameException.class)
                    .hasMessageContaining("is not the name of an object");
            if (!name.equals("?watch=true")) {
                // An empty name with a query looks like a list: only ByName can tell.
                assertThatThrownBy(() -> client.secrets()
                                .inNamespace("demo")
                                .withName(name)
                                .get())
                        .isInstanceOf(RuntimeException.class);
            }
            assertThat(received).isEmpty();
            assertThatCode(() -> ByName.select(client.secrets().inNamespace("demo"), "a")
                            .get())
                    .doesNotThrowAnyException();
            assertThat(received).containsExactly("/api/v1/namespaces/demo/secrets/a");
        } finally {
            server.stop(0);
        }
    }

    private static KubernetesClient client(String address) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(Config.empty())
                        .withMasterUrl(address)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .withHttpClientFactory(new OkHttpClientFactory())
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor(RequestGate.NAME, new RequestGate(URI.create(address))))
                .build();
    }

    private static URI uri(String address) {
        return URI.create("https://192.0.2.1:6443/k8s" + address);
    }
}
