package io.capoa.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonLogEncoderTest {

    private static JsonNode encode(String message, Map<String, String> context, @Nullable Throwable failure)
            throws Exception {
        var logger = new LoggerContext().getLogger("io.capoa.Test");
        var event = new LoggingEvent(JsonLogEncoderTest.class.getName(), logger, Level.WARN, message, failure, null);
        event.setInstant(Instant.parse("2026-11-21T10:00:00.123Z"));
        event.setMDCPropertyMap(context);
        var line = new String(new JsonLogEncoder().encode(event), StandardCharsets.UTF_8);
        assertThat(line).endsWith("}\n");
        assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
        return new ObjectMapper().readTree(line);
    }

    @Test
    void aLineInsideAReconcile_saysOfWhat() throws Exception {
        var line = encode(
                "hello",
                Map.of(
                        "controller", "config",
                        "resource.namespace", "n",
                        "resource.name", "a",
                        "resource.kind", "OpenshiftAssistedConfig",
                        "reconcileID", "0badcafe"),
                null);

        assertThat(line.toString())
                .isEqualTo(
                        "{\"timestamp\":\"2026-11-21T10:00:00.123Z\",\"level\":\"warn\",\"logger\":\"io.capoa.Test\","
                                + "\"message\":\"hello\",\"controller\":\"config\",\"namespace\":\"n\",\"name\":\"a\","
                                + "\"kind\":\"OpenshiftAssistedConfig\",\"reconcileID\":\"0badcafe\"}");
    }

    @Test
    void anyText_survives() throws Exception {
        var message = "quote \" backslash \\ tab \t bell \u0007 umlaut ü\nsecond line";

        assertThat(encode(message, Map.of(), null).get("message").textValue()).isEqualTo(message);
    }

    @Test
    void anException_isOneFieldOfTheSameLine() throws Exception {
        var line = encode("failed", Map.of(), new IllegalStateException("why"));

        assertThat(line.get("error").textValue())
                .startsWith("java.lang.IllegalStateException: why")
                .contains("JsonLogEncoderTest");
    }
}
