package io.capoa.api.untrusted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits of the parsers for what others have written. */
class UntrustedContentTest {

    static Stream<Arguments> tooMuch() {
        // The parser takes a plain scalar of more than 1,024 characters for text.
        return Stream.of(Map.entry(UntrustedContent.json(), 1_000_000), Map.entry(UntrustedContent.yaml(), 1_000))
                .flatMap(entry -> tooMuch(entry.getKey(), entry.getValue()));
    }

    private static Stream<Arguments> tooMuch(ObjectMapper parser, int digits) {
        return Stream.of(
                Arguments.of(parser, "{\"a\": " + "9".repeat(digits) + "}"),
                Arguments.of(parser, "{\"a\": -0." + "9".repeat(digits) + "}"),
                Arguments.of(parser, "[" + "1, ".repeat(60_000) + "1]"),
                Arguments.of(parser, "[".repeat(1_000)),
                Arguments.of(parser, "{\"" + "k".repeat(10_000) + "\": 1}"),
                Arguments.of(parser, "\"" + "x".repeat(2_000_000) + "\""));
    }

    /** The digits of such a number took minutes on the only carrier of virtual threads. */
    @ParameterizedTest
    @MethodSource("tooMuch")
    void whatIsBeyondALimit_isRefusedSoon(ObjectMapper parser, String text) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThatExceptionOfType(JsonProcessingException.class).isThrownBy(() -> parser.readTree(text)));
    }

    @Test
    void usualNumbers_areRead() throws Exception {
        String digits = "9".repeat(UntrustedContent.NUMBER);
        assertThat(UntrustedContent.json().readTree(digits).bigIntegerValue()).hasToString(digits);
        assertThat(UntrustedContent.yaml().readTree("a: 0.25").path("a").doubleValue())
                .isEqualTo(0.25);
    }

    @Test
    void certificates_areLimited_beforeTheyAreRead() {
        assertThatExceptionOfType(CertificateException.class)
                .isThrownBy(() -> UntrustedContent.certificates(new byte[(1 << 20) + 1]))
                .withMessage("the certificates are longer than 1 MiB");
    }
}
