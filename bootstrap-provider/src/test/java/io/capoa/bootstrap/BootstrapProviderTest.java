package io.capoa.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;

class BootstrapProviderTest {

    @Test
    void downloadsGoWhereTheProxyVariablesSay() throws Exception {
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            byte[] asked = exchange.getRequestURI().toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, asked.length);
            exchange.getResponseBody().write(asked);
            exchange.close();
        });
        proxy.start();
        try {
            OkHttpClient client = BootstrapProvider.client(Map.of(
                    "HTTP_PROXY", "http://127.0.0.1:" + proxy.getAddress().getPort(), "NO_PROXY", "internal.example"));
            try (Response response = client.newCall(new Request.Builder()
                            .url("http://assisted.example/ign")
                            .build())
                    .execute()) {
                assertThat(response.body().string()).isEqualTo("http://assisted.example/ign");
            }
            assertThat(client.proxySelector().select(URI.create("http://a.internal.example/")))
                    .containsExactly(Proxy.NO_PROXY);
        } finally {
            proxy.stop(0);
        }
    }

    @Test
    void theTimeThatAHostHas_isTwentyMinutes_orWhatTheVariableSays() {
        assertThat(BootstrapProvider.hostPatience(Map.of())).isEqualTo(Duration.ofMinutes(20));
        assertThat(BootstrapProvider.hostPatience(Map.of("HOST_REGISTRATION_SECONDS", "0")))
                .isZero();
        assertThatThrownBy(() -> BootstrapProvider.hostPatience(Map.of("HOST_REGISTRATION_SECONDS", "20m")))
                .hasMessageContaining("HOST_REGISTRATION_SECONDS");
    }
}
