package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

    @ParameterizedTest
    @CsvSource({
        "':8081', '', 8081",
        "'127.0.0.1:0', 127.0.0.1, 0",
        "'[::1]:80', ::1, 80",
        "localhost:65535, localhost, 65535"
    })
    void aBindAddress_isHostAndPort(String text, String host, int port) {
        var address = BindAddress.parse(text);

        assertThat(address).isEqualTo(new BindAddress(host, port));
        assertThat(address).hasToString(text);
    }

    @Test
    void aBindAddressOfZero_isOff() {
        assertThat(BindAddress.parse("0").isOff()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8081", ":", "host:", ":-1", ":+1", ":65536", "::1:80", "a b:1"})
    void anythingElse_isRejected(String text) {
        assertThatThrownBy(() -> BindAddress.parse(text)).hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"90s, PT1M30S", "1m30s, PT1M30S", "250ms, PT0.25S", "10h, PT10H"})
    void aDuration_isWrittenAsInGo(String text, Duration duration) {
        assertThat(new GoDuration().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0s", "10", "-1s", "s", "1.5h"})
    void aDurationThatIsNotPositive_isRejected(String text) {
        assertThatThrownBy(() -> new GoDuration().convert(text)).hasMessageContaining("90s");
    }

    @Test
    void namespaces_areSeparatedByCommas() {
        var scope = WatchScope.of(" b, a,,b ", "");

        assertThat(scope.namespaces()).containsExactly("a", "b");
        assertThat(scope.includes("a")).isTrue();
        assertThat(scope.includes("c")).isFalse();
        assertThat(scope.labelSelector()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /apis/cluster.x-k8s.io/v1beta2/machines, , list, machines",
        "GET, /apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines, true, watch, machines",
        "GET, /api/v1/namespaces/n/secrets/s, , get, secrets",
        "GET, /api/v1/namespaces/n, , get, namespaces",
        "PATCH, /apis/a.b/v1/namespaces/n/machines/m/status, , patch, machines/status",
        "POST, /api/v1/namespaces/n/events, , create, events",
        "PUT, /proxy/apis/coordination.k8s.io/v1/namespaces/n/leases/l, , update, leases",
        "GET, /version, , get, other",
        "GET, /apis, , get, other",
    })
    void aRequest_isCountedByVerbAndResource(
            String method, String path, @Nullable String watch, String verb, String resource) {
        assertThat(RequestKind.of(method, path, watch)).isEqualTo(new RequestKind(verb, resource));
    }

    @Test
    void retries_neverEndAndGrowToTheBound() {
        var retry = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1), () -> 0).initExecution();

        var delays = java.util.stream.Stream.generate(() -> retry.nextDelay().orElseThrow())
                .limit(10)
                .toList();

        assertThat(delays).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L);
        assertThat(retry.isLastAttempt()).isFalse();
        assertThat(retry.getAttemptCount()).isEqualTo(10);
    }

    @Test
    void jitter_shortensAWaitByAFifthAtMost() {
        var retry = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(9), () -> 1).initExecution();

        assertThat(retry.nextDelay()).contains(800L);
    }
}
