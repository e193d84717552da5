package io.capoa.bootstrap.config.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.runtime.events.RecordedEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/conditions.md} says of each reason whether it becomes an Event. */
class DocumentedEventsTest {

    private static final Path TEXTS =
            Path.of("..", "api", "src", "test", "resources", "io", "capoa", "api", "reference", "conditions.yaml");

    @Test
    void aReasonBecomesTheEventThatIsDocumented() throws IOException {
        JsonNode kind = kind(new YAMLMapper().readTree(TEXTS.toFile()));
        assertThat(kind.path("reasons")).isNotEmpty();

        kind.path("reasons").properties().forEach(reason -> {
            boolean warns = reason.getValue().path("event").asText().equals("Warning");
            assertThat(reason.getValue().path("on")).as(reason.getKey()).allSatisfy(condition -> {
                String[] parts = condition.asText().split("=", -1);
                assertThat(ConfigEvents.between(null, status(parts[0], parts[1], reason.getKey())))
                        .extracting(RecordedEvent::warning, RecordedEvent::reason)
                        .hasSize(warns ? 1 : 0)
                        .allMatch(event -> event.toList().equals(List.of(true, reason.getKey())));
            });
        });
    }

    private static JsonNode kind(JsonNode kinds) {
        for (JsonNode kind : kinds) {
            if (kind.path("kind").asText().equals("OpenshiftAssistedConfig")) {
                return kind;
            }
        }
        throw new AssertionError("no texts about OpenshiftAssistedConfig");
    }

    private static OpenshiftAssistedConfigStatus status(String type, String status, String reason) {
        return new OpenshiftAssistedConfigStatus(
                null, null, 1L, List.of(new Condition(type, status, reason, "message", "2026-01-01T00:00:00Z", 1L)));
    }
}
