package io.capoa.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.capoa.lab.certificates.SelfSigned;
import io.capoa.lab.workload.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(ExecutionMode.CONCURRENT)
class IgnitionReferencesTest {

    private static final String SERVED = """
            {"ignition": {"version": "3.4.0"}, "systemd": {"units": [{"name": "agent.service", "enabled": true}]},
             "storage": {"files": [{"path": "/a", "contents": {"source": "data:,served"}}]}}
            """;

    private final HttpClient http = HttpClient.newHttpClient();
    private final IgnitionReferences references = new IgnitionReferences(http);
    private SelfSigned authority;
    private HttpsServer https;
    private HttpServer plain;

    @BeforeEach
    void startServers() throws Exception {
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        authority = SelfSigned.create("service");
        https = HttpsServer.create(anywhere, 0);
        https.setHttpsConfigurator(new HttpsConfigurator(authority.serverContext()));
        plain = HttpServer.create(anywhere, 0);
        for (HttpServer server : List.of(https, plain)) {
            server.createContext("/ign", exchange -> {
                try (exchange) {
                    byte[] body = SERVED.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                }
            });
            server.start();
        }
    }

    @AfterEach
    void stopServers() {
        https.stop(0);
        plain.stop(0);
        http.close();
    }

    private String secure(String path) {
        return "https://localhost:" + https.getAddress().getPort() + path;
    }

    private String open(String path) {
        return "http://localhost:" + plain.getAddress().getPort() + path;
    }

    private static String data(byte[] content) {
        return "data:;base64," + Base64.getEncoder().encodeToString(content);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static Map<String, Object> config(String pem, Object... merged) throws IOException {
        Map<String, Object> authorities = pem.isEmpty()
                ? Map.of()
                : Map.of(
                        "tls",
                        Map.of(
                                "certificateAuthorities",
                                List.of(Map.of("source", data(gzip(pem)), "compression", "gzip"))));
        return Json.parse(Json.text(Map.of(
                "ignition",
                Map.of("version", "3.1.0", "config", Map.of("merge", List.of(merged)), "security", authorities),
                "storage",
                Map.of("files", List.of(Map.of("path", "/b", "contents", Map.of("source", "data:,own")))))));
    }

    private IgnitionConfig resolve(Map<String, Object> config) throws Refused, InterruptedException {
        return IgnitionConfig.of(references.resolve(config));
    }

    private static String file(IgnitionConfig config, String path) throws Refused {
        for (IgnitionConfig.FileEntry file : config.files()) {
            if (file.path().equals(path)) {
                return new String(file.content(), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    private void refuses(Map<String, Object> config, String message) {
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(() -> resolve(config))
                .withMessageContaining(message)
                .withMessageNotContaining("SECRET");
    }

    @Test
    void aConfigWithoutReferences_isTheSame() throws Exception {
        Map<String, Object> config = Json.parse(SERVED);

        assertThat(references.resolve(config)).isEqualTo(config);
    }

    @Test
    void whatIsMerged_winsOverTheConfig_andTheLaterOverTheEarlier() throws Exception {
        byte[] second = gzip("{\"ignition\":{\"version\":\"3.1.0\"},\"storage\":{\"files\":[{\"path\":\"/b\","
                + "\"contents\":{\"source\":\"data:,second\"}}]}}");

        IgnitionConfig resolved = resolve(config(
                authority.pem(),
                Map.of("source", secure("/ign?api_key=SECRET")),
                Map.of("source", data(second), "compression", "gzip")));

        assertThat(resolved.unit("agent.service")).isPresent();
        assertThat(file(resolved, "/a")).isEqualTo("served");
        assertThat(file(resolved, "/b")).isEqualTo("second");
    }

    @Test
    void aReplacement_leavesNothingOfTheConfig() throws Exception {
        Map<String, Object> config =
                Json.parse("{\"ignition\":{\"version\":\"3.1.0\",\"config\":{\"replace\":{\"source\":\"" + open("/ign")
                        + "\"}}},\"storage\":{\"files\":[{\"path\":\"/b\"}]}}");

        assertThat(resolve(config).files())
                .extracting(IgnitionConfig.FileEntry::path)
                .containsExactly("/a");
    }

    @Test
    void aServerOfAnotherAuthority_isNotTrusted() throws Exception {
        Map<String, Object> reference = Map.of("source", secure("/ign?api_key=SECRET"));

        refuses(config(SelfSigned.create("other").pem(), reference), "is not trusted");
        refuses(config("", reference), "is not trusted");
        refuses(config("no certificate", reference), "has no certificates in PEM");
    }

    @Test
    void aHashIsThatOfTheContent() throws Exception {
        byte[] served = SERVED.getBytes(StandardCharsets.UTF_8);
        for (String algorithm : List.of("sha512", "sha256")) {
            String right = algorithm + "-"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance(algorithm.replace("sha", "SHA-"))
                                    .digest(served));
            Map<String, Object> reference = Map.of("source", open("/ign"), "verification", Map.of("hash", right));
            assertThat(file(resolve(config("", reference)), "/a")).isEqualTo("served");

            Map<String, Object> wrong =
                    Map.of("source", open("/ign"), "verification", Map.of("hash", right.replaceFirst("-..", "-zz")));
            refuses(config("", wrong), "has another hash");
        }
        refuses(
                config("", Map.of("source", open("/ign"), "verification", Map.of("hash", "md5-1"))),
                "neither sha512 nor sha256");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/absent?api_key=SECRET|replied with 404",
                "ftp://a/b|neither an HTTP nor a data URL",
                "http://localhost:1/?api_key=SECRET|cannot be reached",
                "data:,x|not a JSON object",
                "data:,%7B%7D|not of version 3.x"
            })
    void whatCannotBeFetched_isNamedWithoutItsToken(String source, String message) throws Exception {
        refuses(config("", Map.of("source", source.startsWith("/") ? open(source) : source)), message);
    }

    @Test
    void aConfigThatRefersToItself_isRefused() throws Exception {
        plain.createContext("/loop", exchange -> {
            try (exchange) {
                byte[] body = Json.bytes(config("", Map.of("source", open("/loop"))));
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });

        refuses(config("", Map.of("source", open("/loop"))), "nested");
    }
}
