package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A pod's connection by the token of its ServiceAccount, which the kubelet renews in place. */
@Isolated("sets what the client reads from the process's properties")
class ServiceAccountTest {

    private static final byte[] SECRET = """
            {"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"n"}}
            """.getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path volume;

    private final AtomicReference<String> valid = new AtomicReference<>("first");
    private Map<String, String> properties = Map.of();
    private HttpServer server;

    @BeforeEach
    void mount() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            boolean known = ("Bearer " + valid.get()).equals(token);
            exchange.sendResponseHeaders(known ? 200 : 401, known ? SECRET.length : -1);
            if (known) {
                exchange.getResponseBody().write(SECRET);
            }
            exchange.close();
        });
        server.start();
        Files.writeString(volume.resolve("token"), "first");
        Files.writeString(volume.resolve("namespace"), "capoa-system");
        properties = Map.of(
                "kubernetes.auth.tryKubeConfig",
                "false",
                "kubernetes.master",
                "http://localhost:" + server.getAddress().getPort(),
                "kubernetes.auth.serviceAccount.token",
                volume.resolve("token").toString(),
                "kubenamespace",
                volume.resolve("namespace").toString());
        properties.forEach(System::setProperty);
    }

    @AfterEach
    void unmount() {
        properties.keySet().forEach(System::clearProperty);
        server.stop(0);
    }

    @Test
    void aTokenThatWasRenewed_isReadAgain_whenTheOldOneHasEnded() throws Exception {
        try (KubernetesClient client = ManagementClient.of(
                Config.autoConfigure(null), "test", "manager", new SimpleMeterRegistry(), () -> true)) {
            assertThat(read(client)).isEqualTo("s");
            assertThat(client.getConfiguration().getNamespace()).isEqualTo("capoa-system");

            Files.writeString(volume.resolve("token"), "second");
            valid.set("second");

            assertThat(read(client)).isEqualTo("s");
        }
    }

    private static String read(KubernetesClient client) {
        return client.secrets()
                .inNamespace("n")
                .withName("s")
                .get()
                .getMetadata()
                .getName();
    }
}
