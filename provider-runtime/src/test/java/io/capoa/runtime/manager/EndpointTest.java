package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EndpointTest {

    private static final BindAddress ANY_PORT = BindAddress.parse("127.0.0.1:0");

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
        var readiness = new Readiness();
        readiness.add("caches", problem::get);
        readiness.add("fine", Optional::empty);
        try (var endpoint = Endpoint.listen(ANY_PORT, "--flag").serve("/readyz", readiness::answer)) {
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
        var readiness = new Readiness();
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
        try (var endpoint = Endpoint.listen(ANY_PORT, "--flag").serve("/metrics", meters::page)) {
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
    void anUnknownPath_isNotFound() throws Exception {
        try (var endpoint =
                Endpoint.listen(ANY_PORT, "--flag").serve("/healthz", () -> Endpoint.Answer.text(200, "ok\n"))) {
            assertThat(get(endpoint, "/healthz/more").statusCode()).isEqualTo(404);
            assertThat(get(endpoint, "/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aBusyPort_isNamedWithItsFlag() {
        try (var first = Endpoint.listen(ANY_PORT, "--flag")) {
            var taken = new BindAddress("127.0.0.1", first.port());

            assertThatThrownBy(() -> Endpoint.listen(taken, "--metrics-bind-address"))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageStartingWith("Cannot listen on 127.0.0.1:" + first.port() + " (--metrics-bind-address)");
        }
    }
}
