package io.capoa.bootstrap.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.capoa.bootstrap.boot.CaBundle.Location;
import io.capoa.runtime.lookup.LookupResult;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okio.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaBundleTest {

    private static final String PREFIX = "ASSISTED_CA_BUNDLE_";
    private static final char[] PASSWORD = "changeit".toCharArray();

    @Test
    void eachVariable_hasTheGoProvidersDefault() {
        assertThat(Location.fromEnvironment(Map.of())).isEmpty();
        assertThat(Location.fromEnvironment(Map.of(
                        PREFIX + "NAME",
                        "",
                        PREFIX + "NAMESPACE",
                        "",
                        PREFIX + "RESOURCE",
                        "secret",
                        PREFIX + "KEY",
                        "ca.crt")))
                .as("as the manifest has it")
                .isEmpty();
        assertThat(Location.fromEnvironment(Map.of(PREFIX + "NAME", "ca", PREFIX + "NAMESPACE", "ns")))
                .contains(new Location(false, "ns", "ca", "ca.crt"));
        assertThat(Location.fromEnvironment(Map.of(PREFIX + "NAME", "ca")))
                .contains(new Location(false, "assisted-installer", "ca", "ca.crt"));
        assertThat(Location.fromEnvironment(Map.of(PREFIX + "NAMESPACE", "ns")))
                .contains(new Location(false, "ns", "assisted-installer-ca", "ca.crt"));
        assertThat(Location.fromEnvironment(Map.of(PREFIX + "RESOURCE", "configmap")))
                .contains(new Location(true, "assisted-installer", "assisted-installer-ca", "ca.crt"));
        assertThat(Location.fromEnvironment(Map.of(PREFIX + "KEY", "tls.crt")))
                .contains(new Location(false, "assisted-installer", "assisted-installer-ca", "tls.crt"));
    }

    @Test
    void theResourceIsASecretOrAConfigMap() {
        Map<String, String> named = Map.of(PREFIX + "NAME", "ca", PREFIX + "NAMESPACE", "ns");
        var withResource = new java.util.HashMap<>(named);
        withResource.put(PREFIX + "RESOURCE", "configmap");
        withResource.put(PREFIX + "KEY", "bundle.pem");
        assertThat(Location.fromEnvironment(withResource)).contains(new Location(true, "ns", "ca", "bundle.pem"));

        withResource.put(PREFIX + "RESOURCE", "volume");
        assertThatThrownBy(() -> Location.fromEnvironment(withResource))
                .hasMessageContaining("ASSISTED_CA_BUNDLE_RESOURCE");
    }

    @Test
    void aServerIsTrustedAsSoonAsItsCaIs(@TempDir Path folder) throws Exception {
        KeyStore keys = selfSigned(folder);
        HttpsServer server = server(keys);
        LinkedBlockingQueue<ResourceID> woken = new LinkedBlockingQueue<>();
        try (IgnitionDownloads downloads = new IgnitionDownloads(new OkHttpClient(), Clock.systemUTC(), woken::add)) {
            ResourceID config = new ResourceID("c", "ns");
            HttpUrl url = HttpUrl.get("https://localhost:" + server.getAddress().getPort() + "/ign");
            IgnitionDownloads.Wanted ignition = new IgnitionDownloads.Wanted(url, "1", null, "The ignition");
            downloads.distrust("Secret ns/ca with the CA certificates does not exist");
            LookupResult<ByteString> begun = downloads.request(config, ignition);
            assertThat(begun).isInstanceOf(LookupResult.Pending.class);
            assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(config);
            assertThat(downloads.request(config, ignition))
                    .isInstanceOfSatisfying(
                            LookupResult.Failed.class,
                            failed -> assertThat(failed.message()).contains("Secret ns/ca"));

            downloads.trust(TrustedCertificates.with(List.of(keys.getCertificate("server"))));

            // Another attempt may have failed before.
            do {
                assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(config);
            } while (!(downloads.request(config, ignition) instanceof LookupResult.Known));
        } finally {
            server.stop(0);
        }
    }

    private static KeyStore selfSigned(Path folder) throws Exception {
        Path file = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static HttpsServer server(KeyStore keys) throws Exception {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            byte[] body = "{\"ignition\":{\"version\":\"3.1.0\"}}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
        return server;
    }
}
