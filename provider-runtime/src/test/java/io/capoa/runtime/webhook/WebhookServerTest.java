package io.capoa.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.capoa.runtime.http.HalfOpen;
import io.capoa.runtime.logging.TestLoggers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class WebhookServerTest {

    private static final Logger FOLDERS = TestLoggers.of("io.capoa.runtime.tls.CertificateFolder");

    private final HeldCertificate authority = new HeldCertificate.Builder()
            .certificateAuthority(0)
            .commonName("authority")
            .build();

    private final Path folder;
    private final CertificateFiles files;
    private final WebhookServer server;
    private final List<Socket> silent = new ArrayList<>();

    WebhookServerTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        files = new CertificateFiles(folder);
        server = WebhookServer.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder, Clock.systemUTC())
                .serve("/echo", body -> body)
                .serve("/untyped", new WebhookHandler() {
                    @Override
                    public byte[] answer(byte[] body) {
                        return body;
                    }

                    @Override
                    public boolean acceptsUntypedBodies() {
                        return true;
                    }
                })
                .serve("/broken", body -> {
                    throw new IllegalStateException("a bug");
                })
                .serve("/strict", body -> {
                    throw new WebhookHandler.MalformedRequest("that is no review");
                });
    }

    @AfterEach
    void stop() throws IOException {
        for (var socket : silent) {
            socket.close();
        }
        server.close();
    }

    private HeldCertificate signed() {
        return CertificateFiles.localhost().signedBy(authority).build();
    }

    private HandshakeCertificates trusting() {
        return new HandshakeCertificates.Builder()
                .addTrustedCertificate(authority.certificate())
                .build();
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    /** By a client of its own: a new connection each. */
    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        try (var http =
                HttpClient.newBuilder().sslContext(trusting().sslContext()).build()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private URI uri(String path) {
        return URI.create("https://localhost:" + server.port() + path);
    }

    private void awaitProblem(String part) {
        await().untilAsserted(() -> assertThat(server.problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains(part)));
    }

    private void awaitServing() {
        await().untilAsserted(() -> assertThat(server.problem()).isEmpty());
    }

    @Test
    void aBodyWithoutAType_isAnsweredWhereTheHandlerTakesIt_andAnotherTypeNowhere()
            throws IOException, InterruptedException {
        files.put(signed());
        awaitServing();
        assertThat(untyped("/untyped").statusCode()).isEqualTo(200);
        assertThat(untyped("/echo").statusCode()).isEqualTo(415);
        var text = HttpRequest.newBuilder(uri("/untyped"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(send(text).statusCode()).isEqualTo(415);
    }

    private HttpResponse<String> untyped(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build());
    }

    @Test
    void whileThereIsNoCertificate_saysWhichFilesAreMissingAndWhatToDo_andServesOnceTheyAreThere() throws Exception {
        assertThat(server.problem())
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains(folder.resolve("tls.crt") + " and " + folder.resolve("tls.key") + " missing")
                        .contains("cert-manager")
                        .contains("--webhook-port=0"));
        assertThatThrownBy(() -> post("/echo", "{}")).isInstanceOf(SSLException.class);

        files.put(signed());

        awaitServing();
        assertThat(post("/echo", "{\"a\":1}").body()).isEqualTo("{\"a\":1}");
    }

    @Test
    void aCertificateThatIsReplaced_isUsedByTheNextConnection() throws Exception {
        files.put(signed());
        var before = served();
        assertThat(served()).isEqualTo(before);

        files.put(signed());

        await().untilAsserted(() -> assertThat(served()).isNotEqualTo(before));
        assertThat(server.problem()).isEmpty();
    }

    @Test
    void aReplacementThatCannotBeUsed_isNotUsed() throws Exception {
        files.put(signed());
        var before = served();

        var lines = new ListAppender<ILoggingEvent>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        FOLDERS.addAppender(lines);
        FOLDERS.setLevel(Level.WARN);
        try {
            files.put(signed().certificatePem(), signed().privateKeyPkcs8Pem());

            await("the server has read it").until(() -> {
                assertThat(served()).isEqualTo(before);
                return lines.list.stream()
                        .map(ILoggingEvent::getFormattedMessage)
                        .anyMatch(line -> line.contains(folder.toString()) && line.endsWith("before stays in use"));
            });
        } finally {
            FOLDERS.setLevel(null);
            FOLDERS.detachAppender(lines);
        }
        assertThat(served()).isEqualTo(before);
        assertThat(server.problem()).isEmpty();
    }

    @Test
    void aCertificateThatHasExpired_isNamedWithTheDay() throws Exception {
        files.put(CertificateFiles.lasting(Duration.ofSeconds(1)));

        awaitProblem("tls.crt has expired on 20");
    }

    private X509Certificate served() throws IOException {
        try (var socket = (SSLSocket) trusting().sslSocketFactory().createSocket("localhost", server.port())) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void keysInEveryUsualForm_areRead() throws Exception {
        var rsa = CertificateFiles.localhost().rsa2048().signedBy(authority).build();
        var rsa1 = CertificateFiles.localhost().rsa2048().signedBy(authority).build();
        var ec = signed();
        var sec1 = signed();
        var chain = signed();
        var forms = new String[][] {
            {rsa.certificatePem(), rsa.privateKeyPkcs8Pem()},
            {rsa1.certificatePem(), rsa1.privateKeyPkcs1Pem()},
            {ec.certificatePem(), ec.privateKeyPkcs8Pem()},
            {sec1.certificatePem(), CertificateFiles.sec1(sec1)},
            {chain.certificatePem() + authority.certificatePem(), chain.privateKeyPkcs8Pem()}
        };
        for (var form : forms) {
            files.put(form[0], form[1]);

            await().alias(form[1].lines().findFirst().orElse("")).untilAsserted(() -> {
                assertThat(server.problem()).isEmpty();
                assertThat(Base64.getEncoder().encodeToString(served().getEncoded()))
                        .isEqualTo(pem(form[0]));
            });
            assertThat(post("/echo", "{}").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void filesThatHoldSomethingElse_areNamed_andTheirContentIsNot() throws Exception {
        var good = signed();
        files.put("no certificate", good.privateKeyPkcs8Pem());
        awaitProblem("tls.crt holds no certificate in PEM");

        files.put(good.certificatePem(), "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n");
        awaitProblem("tls.key holds no EC key in PEM");
        assertThat(server.problem().orElse("")).doesNotContain("c2VjcmV0");

        files.put(good.certificatePem(), signed().privateKeyPkcs8Pem());
        awaitProblem("tls.key is not the key of the certificate in");

        Files.delete(folder.resolve("tls.key"));
        awaitProblem(folder.resolve("tls.key") + " missing");
    }

    /** The first certificate of a PEM file, as one line. */
    private static String pem(String chain) {
        return chain.substring(0, chain.indexOf("-----END"))
                .replaceFirst("-----BEGIN.*-----", "")
                .replaceAll("\\s", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void tlsOfTheProfileIntermediate_isSpoken(String protocol) throws Exception {
        files.put(signed());

        assertThat(handshake(protocol)).isEqualTo(protocol);
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, TLS_AES_128_GCM_SHA256, TLS_CHACHA20_POLY1305_SHA256",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
    })
    void chachaIsChosen_evenForAClientThatPrefersAes_andAesForOneThatHasNothingElse(
            String protocol, String aes, String chacha) throws Exception {
        files.put(signed());

        assertThat(cipherSuite(protocol, aes, chacha)).isEqualTo(chacha);
        assertThat(cipherSuite(protocol, aes)).isEqualTo(aes);
    }

    private String cipherSuite(String protocol, String... offered) throws IOException {
        try (var socket = (SSLSocket) trusting().sslSocketFactory().createSocket("localhost", server.port())) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.setEnabledCipherSuites(offered);
            socket.startHandshake();
            return socket.getSession().getCipherSuite();
        }
    }

    @Test
    void olderTls_isRefused() {
        files.put(signed());

        assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> handshake("TLSv1.1"));
    }

    private String handshake(String protocol) throws IOException {
        try (var socket = (SSLSocket) trusting().sslSocketFactory().createSocket("localhost", server.port())) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.startHandshake();
            return socket.getSession().getProtocol();
        }
    }

    @Test
    void whatIsNoCall_isRefusedWithAStatusThatSaysWhy() throws Exception {
        files.put(signed());

        assertThat(post("/nowhere", "{}").statusCode()).isEqualTo(404);
        assertThat(post("/echo/below", "{}").statusCode()).isEqualTo(404);
        assertThat(send(HttpRequest.newBuilder(uri("/echo")).build()).statusCode())
                .isEqualTo(405);
        assertThat(send(HttpRequest.newBuilder(uri("/echo"))
                                .header("Content-Type", "text/yaml")
                                .POST(HttpRequest.BodyPublishers.ofString("a: 1"))
                                .build())
                        .statusCode())
                .isEqualTo(415);
        var malformed = post("/strict", "{}");
        assertThat(malformed.statusCode()).isEqualTo(400);
        assertThat(malformed.body()).isEqualTo("that is no review\n");
        var broken = post("/broken", "{}");
        assertThat(broken.statusCode()).isEqualTo(500);
        assertThat(broken.body()).doesNotContain("a bug");
    }

    @Test
    void withAuthoritiesOfClients_onlyTheirClientsAreAnswered_exceptWhereTheyHaveNoCertificate() throws Exception {
        files.put(signed());
        Path authorities = folder.resolve("clients.crt");
        HeldCertificate clients =
                new HeldCertificate.Builder().certificateAuthority(0).build();
        HeldCertificate successor =
                new HeldCertificate.Builder().certificateAuthority(0).build();
        try (var verifying = WebhookServer.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        folder,
                        authorities,
                        Clock.systemUTC())
                .serve("/echo", body -> body)
                .serve(ConversionHandler.PATH, new WebhookHandler() {
                    @Override
                    public byte[] answer(byte[] body) {
                        return body;
                    }

                    @Override
                    public boolean verifiesClients() {
                        return false;
                    }
                })) {
            await().untilAsserted(() -> assertThat(verifying.problem())
                    .hasValueSatisfying(problem -> assertThat(problem).contains("clients.crt holds no certificates")));
            Files.writeString(authorities, clients.certificatePem());
            await().untilAsserted(() -> assertThat(verifying.problem()).isEmpty());

            assertThat(statusBy(verifying, "/echo", null)).isEqualTo(401);
            assertThat(statusBy(verifying, ConversionHandler.PATH, null)).isEqualTo(200);
            assertThat(statusBy(verifying, "/echo", clients)).isEqualTo(200);
            assertThatThrownBy(() -> statusBy(verifying, "/echo", successor)).isInstanceOf(IOException.class);

            Files.writeString(authorities, successor.certificatePem());

            await().ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() ->
                            assertThat(statusBy(verifying, "/echo", successor)).isEqualTo(200));
        }
    }

    /** By a client whose certificate an authority has signed, or with none. */
    private int statusBy(WebhookServer server, String path, @Nullable HeldCertificate authority) throws Exception {
        var certificates = new HandshakeCertificates.Builder().addTrustedCertificate(this.authority.certificate());
        if (authority != null) {
            certificates.heldCertificate(
                    new HeldCertificate.Builder().signedBy(authority).build());
        }
        try (var http = HttpClient.newBuilder()
                .sslContext(certificates.build().sslContext())
                .build()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + path))
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void anAddressThatCallsTooOften_isToldToWait() throws Exception {
        files.put(signed());
        awaitServing();
        server.serve("/rare", new WebhookHandler() {
            @Override
            public byte[] answer(byte[] body) {
                return body;
            }

            @Override
            public int callsPerSecond() {
                return 1;
            }
        });
        List<Integer> statuses = new ArrayList<>();
        try (var http =
                HttpClient.newBuilder().sslContext(trusting().sslContext()).build()) {
            for (int i = 0; i < 20; i++) {
                var answer = http.send(
                        HttpRequest.newBuilder(uri("/rare"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
                statuses.add(answer.statusCode());
            }
        }
        assertThat(statuses).startsWith(200, 200).contains(429);
    }

    @Test
    void aBodyWithoutEnd_isNotReadToItsEnd() throws Exception {
        files.put(signed());
        var large = HttpRequest.newBuilder(uri("/echo"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[WebhookServer.LARGEST_BODY + 1]))
                .build();

        try {
            assertThat(send(large).statusCode()).isEqualTo(413);
        } catch (IOException closedWhileSending) {
            assertThat(closedWhileSending).isNotInstanceOf(SSLException.class);
        }
        assertThat(post("/echo", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void whileHundredsOfConnectionsAreHalfOpen_callsAreAnswered() throws Exception {
        files.put(signed());
        awaitServing();
        try (var flood = new HalfOpen(server.port(), 750)) {
            for (int round = 0; round < 10; round++) {
                assertThat(post("/echo", "{}").statusCode()).isEqualTo(200);
            }
            flood.rest();
            await().until(() -> flood.alive() <= 256);
        }
    }

    @Test
    void bodiesThatDoNotEnd_keepNoCallWaiting() throws Exception {
        files.put(signed());
        awaitServing();
        try (var http =
                HttpClient.newBuilder().sslContext(trusting().sslContext()).build()) {
            for (int i = 0; i < 12; i++) {
                begin(WebhookServer.LARGEST_BODY / 10);
            }

            var answer = http.send(
                    HttpRequest.newBuilder(uri("/echo"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(isOpen(silent.getLast()))
                    .as("the server still waits for it")
                    .isTrue();
        }
    }

    private static boolean isOpen(Socket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            int unused = socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException open) {
            return true;
        }
    }

    /** A call that sends none of the body that it announces; open until the server closes. */
    private void begin(int length) throws IOException {
        var socket = (SSLSocket) trusting().sslSocketFactory().createSocket("localhost", server.port());
        silent.add(socket);
        socket.getOutputStream()
                .write(("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + "Content-Length: " + length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void clientsThatSayNothing_keepNobodyElseWaiting() throws Exception {
        files.put(signed());
        var clients = new Socket[40];
        try {
            for (int i = 0; i < clients.length; i++) {
                clients[i] = new Socket(InetAddress.getLoopbackAddress(), server.port());
                OutputStream out = clients[i].getOutputStream();
                out.write("no TLS".substring(0, i % 6).getBytes(StandardCharsets.UTF_8));
                out.flush();
            }

            assertThat(post("/echo", "{}").statusCode()).isEqualTo(200);
        } finally {
            for (var socket : clients) {
                socket.close();
            }
        }
    }
}
