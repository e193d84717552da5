package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.controller.Key;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostRecordTest {

    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    private final HostRecord host = new HostRecord(new Key("ns", "h"), "infra-env", Map.of());

    @Test
    void anInstructionWhoseResponseIsLost_isGivenAgain_untilTheAgentHasReplied() {
        host.resolve(List.of("api.example"));
        assertThat(host.takeDomains(NOW)).containsExactly("api.example");
        assertThat(host.takeDomains(NOW.plusSeconds(4))).isEmpty();
        Instant again = NOW.plus(HostRecord.ASKED_AGAIN);
        assertThat(host.takeDomains(again)).containsExactly("api.example");
        assertThat(host.isResolving()).isTrue();

        host.resolved(Map.of("api.example", List.of("192.0.2.10")));
        assertThat(host.takeDomains(again.plus(HostRecord.ASKED_AGAIN))).isEmpty();

        host.resolve(List.of("api.example", "apps.example"));
        assertThat(host.takeDomains(again)).hasSize(2);
    }
}
