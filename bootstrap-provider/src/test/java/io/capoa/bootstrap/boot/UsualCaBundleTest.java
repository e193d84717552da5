package io.capoa.bootstrap.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.capoa.bootstrap.boot.ServiceAuthorities.Certificates;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The usual Secret, when a host needs to know its certificates. */
class UsualCaBundleTest {

    private static final String PATH = "/api/v1/namespaces/assisted-installer/secrets/assisted-installer-ca";

    private final LinkedBlockingQueue<ResourceID> woken = new LinkedBlockingQueue<>();
    private final IgnitionDownloads downloads =
            new IgnitionDownloads(new OkHttpClient(), Clock.systemUTC(), woken::add);
    private final ResourceID config = new ResourceID("c", "ns");

    @SuppressWarnings("NullAway.Init")
    private HttpServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private volatile int status = 200;
    private volatile String body = "";

    @BeforeEach
    void startAnApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(PATH, exchange -> {
            try (exchange) {
                byte[] answer = body.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(status, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://localhost:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    @AfterEach
    void stop() {
        client.close();
        downloads.close();
        server.stop(0);
    }

    private Certificates asked() throws InterruptedException {
        var unused = new UsualCaBundle(client, downloads, Clock.systemUTC());
        assertThat(downloads.authorities().request(config)).isInstanceOf(Certificates.Unknown.class);
        assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(config);
        return downloads.authorities().request(config);
    }

    @Test
    void whereThereIsNone_theSystemsSuffice() throws InterruptedException {
        status = 404;
        body =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}";

        assertThat(asked()).isEqualTo(Certificates.NONE);
    }

    @ParameterizedTest
    @CsvSource({"403, grant the right to get it", "500, cannot be read now"})
    void whereItCannotBeRead_theCertificatesStayUnknown_withTheReason(int code, String why)
            throws InterruptedException {
        status = code;
        body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code + "}";

        assertThat(asked())
                .isInstanceOfSatisfying(
                        Certificates.Unknown.class,
                        unknown -> assertThat(unknown.why()).contains("assisted-installer/assisted-installer-ca", why));
    }

    @Test
    void withoutCertificatesInIt_theyStayUnknown() throws InterruptedException {
        body =
                "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"assisted-installer-ca\",\"resourceVersion\":\"7\"},\"data\":{}}";

        assertThat(asked())
                .isInstanceOfSatisfying(
                        Certificates.Unknown.class,
                        unknown ->
                                assertThat(unknown.why()).contains("has no certificates in PEM under its key ca.crt"));
    }
}
