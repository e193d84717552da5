package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.capoa.runtime.access.ReviewedAccess;
import io.capoa.runtime.failure.StartFailure;
import io.capoa.runtime.health.Endpoint;
import io.capoa.runtime.health.ReadinessProbe;
import io.capoa.runtime.http.HalfOpen;
import io.capoa.runtime.options.BindAddress;
import io.capoa.runtime.tls.ServingTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class EndpointTest {

    private static final BindAddress ANY_PORT = BindAddress.parse("127.0.0.1:0");

    private final List<Duration> answered = new ArrayList<>();

    private static HttpResponse<String> get(Endpoint endpoint, String path) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + path))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void readyz_namesWhatIsNotReady_untilAllIs() throws Exception {
        var problem = new AtomicReference<>(Optional.of("not in sync: machines/cluster"));
        var readiness = new ReadinessProbe();
        readiness.add("caches", problem::get);
        readiness.add("fine", Optional::empty);
        try (var endpoint = Endpoint.listen(ANY_PORT, "--flag", Endpoint.PROBES).serve("/readyz", readiness::answer)) {
            var before = get(endpoint, "/readyz");
            problem.set(Optional.empty());
            var after = get(endpoint, "/readyz");

            assertThat(before.statusCode()).isEqualTo(503);
            assertThat(before.body()).isEqualTo("not ready\ncaches: not in sync: machines/cluster\n");
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(after.body()).isEqualTo("ok\n");
        }
    }

    @Test
    void aCheckThatThrows_isNotReady() {
        var readiness = new ReadinessProbe();
        readiness.add("broken", () -> {
            throw new IllegalStateException("no idea");
        });

        assertThat(readiness.answer().status()).isEqualTo(503);
        assertThat(readiness.answer().body()).contains("broken: ").contains("no idea");
    }

    @Test
    void metrics_areServedInPrometheusFormat() throws Exception {
        var meters = new ProcessMeters();
        meters.bindLeadership("lease", () -> true);
        var closers = new Closers();
        meters.bindProcess(new ManagerDescription("bootstrap", "lease", "namespace"), closers);
        try (var endpoint = Endpoint.listen(ANY_PORT, "--flag", Endpoint.PROBES).serve("/metrics", meters::page)) {
            var page = get(endpoint, "/metrics");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(page.body())
                    .contains("leader_election_master_status{name=\"lease\"} 1.0")
                    .contains("capoa_build_info{")
                    .contains("jvm_memory_used_bytes{")
                    .contains("jvm_threads_live_threads");
        } finally {
            closers.closeAll();
        }
    }

    @Test
    void securedMetrics_speakTlsWithACertificateOfTheirOwn_andTrustNobodyWithoutTheApiServer() throws Exception {
        var tls = ServingTls.selfSigned("capoa-metrics", Clock.systemUTC());
        var access = new ReviewedAccess(() -> null, Clock.systemUTC());
        try (var endpoint = Endpoint.listen(ANY_PORT, "--flag", Endpoint.METRICS, tls.layer())
                .serve("/metrics", access, () -> Endpoint.Response.text(200, "secret\n"))) {
            assertThat(getOverTls(endpoint, null)).startsWith("HTTP/1.1 401");
            assertThat(getOverTls(endpoint, "Basic dXNlcjpwYXNz")).startsWith("HTTP/1.1 401");
            assertThat(getOverTls(endpoint, "Bearer token"))
                    .startsWith("HTTP/1.1 503")
                    .contains("the API server cannot be asked for the right")
                    .doesNotContain("secret");
        }
    }

    /** The whole answer; the server's certificate only has to have the right name. */
    private static String getOverTls(Endpoint endpoint, @Nullable String authorization) throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new NamedServer()}, null);
        try (var socket = context.getSocketFactory().createSocket("127.0.0.1", endpoint.port())) {
            var head = "GET /metrics HTTP/1.1\r\nHost: a\r\n"
                    + (authorization == null ? "" : "Authorization: " + authorization + "\r\n") + "\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static final class NamedServer extends X509ExtendedTrustManager {

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            if (!chain[0].getSubjectX500Principal().getName().equals("CN=capoa-metrics")) {
                throw new CertificateException("not the server's");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void anUnknownPath_isNotFound() throws Exception {
        try (var endpoint = Endpoint.listen(ANY_PORT, "--flag", Endpoint.PROBES)
                .serve("/healthz", () -> Endpoint.Response.text(200, "ok\n"))) {
            assertThat(get(endpoint, "/healthz/more").statusCode()).isEqualTo(404);
            assertThat(get(endpoint, "/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void whileHundredsOfConnectionsAreHalfOpen_probesAnswerWithinASecond() throws Exception {
        var readiness = new ReadinessProbe();
        try (var endpoint = Endpoint.listen(ANY_PORT, "--flag", Endpoint.PROBES)
                        .serve("/healthz", () -> Endpoint.Response.text(200, "ok\n"))
                        .serve("/readyz", readiness::answer);
                var flood = new HalfOpen(endpoint.port(), 750)) {
            for (int round = 0; round < 20; round++) {
                probe(endpoint, "/healthz");
                probe(endpoint, "/readyz");
            }
            assertUsuallyWithinASecond();
            flood.rest();
            await().atMost(Duration.ofSeconds(10)).until(() -> flood.alive() == 0);
        }
    }

    @Test
    void whileMetricsAreAskedForWithoutPause_probesAnswerWithinASecond() throws Exception {
        var meters = new ProcessMeters();
        for (int i = 0; i < 5_000; i++) {
            meters.registry().counter("many", "number", Integer.toString(i)).increment();
        }
        var stop = new AtomicBoolean();
        var scrapes = new AtomicInteger();
        try (var metrics = Endpoint.listen(ANY_PORT, "--flag", Endpoint.METRICS).serve("/metrics", meters::page);
                var endpoint = Endpoint.listen(ANY_PORT, "--flag", Endpoint.PROBES)
                        .serve("/healthz", () -> Endpoint.Response.text(200, "ok\n"));
                var scrapers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                scrapers.execute(() -> {
                    while (!stop.get()) {
                        scrape(metrics);
                        scrapes.incrementAndGet();
                    }
                });
            }
            for (int round = 0; round < 20; round++) {
                probe(endpoint, "/healthz");
                int more = scrapes.get() + 40;
                await().until(() -> scrapes.get() > more);
            }
            stop.set(true);
            assertUsuallyWithinASecond();
        }
    }

    /** A scraper that takes no more of the page than its beginning. */
    private static void scrape(Endpoint metrics) {
        try {
            assertThat(status(metrics, "/metrics")).isNotNull();
        } catch (IOException | AssertionError e) {
            // One of too many.
        }
    }

    /** Is answered at the first attempt. */
    private void probe(Endpoint endpoint, String path) throws IOException {
        long begin = System.nanoTime();
        assertThat(status(endpoint, path)).isEqualTo("HTTP/1.1 200");
        answered.add(Duration.ofNanos(System.nanoTime() - begin));
    }

    /** As the kubelet demands; a busy machine may delay any one of them. */
    private void assertUsuallyWithinASecond() {
        assertThat(answered.stream().sorted().toList().get(answered.size() / 2)).isLessThan(Duration.ofSeconds(1));
    }

    /** As the kubelet asks: one connection each. */
    private static String status(Endpoint endpoint, String path) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port()), 10_000);
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aBusyPort_isNamedWithItsFlag() {
        try (var first = Endpoint.listen(ANY_PORT, "--flag", Endpoint.PROBES)) {
            var taken = new BindAddress("127.0.0.1", first.port());

            assertThatThrownBy(() -> Endpoint.listen(taken, "--metrics-bind-address", Endpoint.METRICS))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageStartingWith("Cannot listen on 127.0.0.1:" + first.port() + " (--metrics-bind-address)");
        }
    }
}
