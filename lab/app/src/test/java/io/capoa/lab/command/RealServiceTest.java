package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.capoa.lab.RealService;
import io.capoa.lab.certificates.SelfSigned;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings for a real assisted-service. */
class RealServiceTest {

    @TempDir
    private Path folder;

    @Test
    void theBootstrapProviderGetsAddressAndAuthority() throws Exception {
        Path ca = Files.writeString(
                folder.resolve("ca.crt"), SelfSigned.create("service").pem());
        RealService service = new RealService(URI.create("https://127.0.0.1:8090"), Optional.of(ca));

        assertThat(service.variables("ns"))
                .containsEntry("ASSISTED_SERVICE_BASE_URL", "https://127.0.0.1:8090")
                .containsEntry("ASSISTED_CA_BUNDLE_NAMESPACE", "ns")
                .containsEntry("ASSISTED_CA_BUNDLE_KEY", "ca.crt");
        assertThat(service.secret("ns")).hasValueSatisfying(secret -> {
            assertThat(secret.getMetadata().getName())
                    .isEqualTo(service.variables("ns").get("ASSISTED_CA_BUNDLE_NAME"));
            assertThat(secret.getStringData().get("ca.crt")).startsWith("-----BEGIN CERTIFICATE-----");
        });
    }

    @Test
    void withoutAuthority_nothingIsToBeTrusted() {
        RealService service = new RealService(URI.create("http://127.0.0.1:8090"), Optional.empty());

        assertThat(service.variables("ns")).containsOnlyKeys("ASSISTED_SERVICE_BASE_URL");
        assertThat(service.secret("ns")).isEmpty();
        assertThat(service.trust()).isEmpty();
    }

    @Test
    void hostsReachAServiceWithThatAuthority() throws Exception {
        SelfSigned own = SelfSigned.create("service");
        Path ca = Files.writeString(folder.resolve("ca.crt"), own.pem());
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(own.serverContext()));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            URI address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
            RealService service = new RealService(address, Optional.of(ca));
            HttpResponse<Void> answer = HttpClient.newBuilder()
                    .sslContext(service.trust().orElseThrow())
                    .build()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding());
            assertThat(answer.statusCode()).isEqualTo(204);
        } finally {
            server.stop(0);
        }
    }
}
