package io.capoa.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the page serves, and to whom. */
@Tag("full")
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageServerTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(30);

    private final PageScene scene;

    PageServerTest(TestCluster cluster) {
        scene = new PageScene(cluster);
    }

    @AfterAll
    void close() {
        scene.close();
    }

    @Test
    void theStateHasTheFailureWithItsRemedy_andNoContentOfSecrets() throws IOException {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(get("state"))
                        .contains("\"namespace\":\"" + scene.namespace + "\"")
                        .contains("InstallFailed: <img src=x")
                        .contains("\"problem\":\"the disk image cannot be fetched\"")
                        .contains("\"group\":\"TROUBLE\""));
        String detail = get("object?OpenshiftAssistedControlPlane/" + scene.namespace + "/stuck");
        assertThat(detail)
                .contains("{\"label\":\"release resolved\",\"time\":\"" + scene.resolved + "\"}")
                .contains("distributionVersion: ")
                .contains("\"logs\":[],\"logCommands\":[\"kubectl logs -n capoa-controlplane-system"
                        + " deployment/capoa-controlplane-controller-manager | grep ' " + scene.namespace
                        + "/stuck'\"]");
        for (String object : List.of("OpenshiftAssistedControlPlane", "Cluster")) {
            assertThat(JSON.readTree(get("object?" + object + "/" + scene.namespace + "/stuck"))
                            .at("/findings"))
                    .as(object)
                    .isEqualTo(JSON.valueToTree(List.of(scene.finding())));
        }
        assertThat(JSON.readTree(get("object?BareMetalHost/" + scene.namespace + "/hostile"))
                        .at("/findings"))
                .isEmpty();
        assertThat(get("state") + detail + get("object?BareMetalHost/" + scene.namespace + "/hostile"))
                .doesNotContain(PageScene.SECRET, PageScene.TOKEN, "managedFields");
        assertThat(open("object?Secret/" + scene.namespace + "/secret").getResponseCode())
                .isEqualTo(404);
    }

    @Test
    void theDocumentLoadsNothingFromElsewhere() throws IOException {
        HttpURLConnection document = open("");
        assertThat(document.getHeaderField("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self';");
        assertThat(get("") + get("page.css") + get("page.js")).doesNotContain("http:", "https:", "innerHTML", "eval(");
        assertThat(open("../../etc/passwd").getResponseCode()).isEqualTo(404);
    }

    @Test
    void anotherName_isRefused_andSoIsAnythingButReading() throws IOException {
        assertThat(raw("GET /state HTTP/1.1\r\nHost: rebound.example\r\n\r\n")).startsWith("HTTP/1.1 403");
        int port = URI.create(scene.page.address()).getPort();
        assertThat(raw("POST /state HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
    }

    @Test
    void aChange_isSentToABrowserThatListens() throws IOException {
        try (var lines =
                new BufferedReader(new InputStreamReader(open("events").getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).startsWith("data: {\"stale\":");
            scene.event();
            String next;
            do {
                next = lines.readLine();
            } while (!next.contains("SomethingHappened"));
            assertThat(next).contains("Cluster/" + scene.namespace + "/stuck");
        }
    }

    private String get(String path) throws RuntimeException {
        try (var body = open(path).getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private HttpURLConnection open(String path) throws IOException {
        var connection = (HttpURLConnection)
                URI.create(scene.page.address() + path).toURL().openConnection();
        connection.setReadTimeout((int) SOON.toMillis());
        return connection;
    }

    private String raw(String request) throws IOException {
        try (var socket =
                new Socket("127.0.0.1", URI.create(scene.page.address()).getPort())) {
            socket.setSoTimeout((int) SOON.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
