package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.testing.Objects;
import io.capoa.runtime.events.RecordedEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** {@code docs/conditions.md} says of each reason whether it becomes an Event. */
class DocumentedEventsTest {

    private static final Path TEXTS =
            Path.of("..", "api", "src", "test", "resources", "io", "capoa", "api", "reference", "conditions.yaml");

    /** Of several conditions with one reason some may become an Event, and others not. */
    @Test
    void aReasonBecomesTheEventThatIsDocumented() throws IOException {
        JsonNode kind = kind(new YAMLMapper().readTree(TEXTS.toFile()));
        assertThat(kind.path("reasons")).isNotEmpty();

        kind.path("reasons").properties().forEach(reason -> {
            String event = reason.getValue().path("event").asText();
            Set<String> recorded = new TreeSet<>();
            for (JsonNode condition : reason.getValue().path("on")) {
                String[] parts = condition.asText().split("=", -1);
                StatusEvents.between(null, status(parts[0], parts[1], reason.getKey()))
                        .forEach(happened -> recorded.add(type(happened) + " " + happened.reason()));
            }
            assertThat(recorded)
                    .as(reason.getKey())
                    .isEqualTo(event.isEmpty() ? Set.of() : Set.of(event + " " + reason.getKey()));
        });
    }

    private static String type(RecordedEvent event) {
        return event.warning() ? "Warning" : "Normal";
    }

    private static JsonNode kind(JsonNode kinds) {
        for (JsonNode kind : kinds) {
            if (kind.path("kind").asText().equals("OpenshiftAssistedControlPlane")) {
                return kind;
            }
        }
        throw new AssertionError("no texts about OpenshiftAssistedControlPlane");
    }

    private static OpenshiftAssistedControlPlaneStatus status(String type, String status, String reason) {
        return Objects.status(new Condition(type, status, reason, "message", "2026-01-01T00:00:00Z", 1L));
    }
}
