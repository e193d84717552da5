package io.capoa.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownTest {

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "api.<cluster> => api.&lt;cluster&gt;",
                "a|b => a\\|b",
                "a & b => a &amp; b",
                "*.example.com => \\*.example.com",
                "METADATA_NAME and _ZONE => METADATA_NAME and \\_ZONE",
                "[a](b) => [a]\\(b)",
            })
    void textRendersAsWritten(String plain, String markdown) {
        assertThat(Markdown.text(plain)).isEqualTo(markdown);
    }

    @Test
    void linesOfATextAreJoined() {
        assertThat(Markdown.text("One.\n  Two.\n")).isEqualTo("One. Two.");
    }

    @Test
    void codeMayHoldPipesAndBackticks() {
        assertThat(Markdown.code("a|b")).isEqualTo("`a\\|b`");
        assertThat(Markdown.code("a`b")).isEqualTo("``a`b``");
        assertThat(Markdown.code("`a")).isEqualTo("`` `a ``");
    }

    @Test
    void aTableHasNoEmptyColumns() {
        assertThat(Markdown.table(
                        List.of("field", "default", "type"), List.of(List.of("a", "", "string"), List.of("b", "", ""))))
                .isEqualTo("""
                        | field | type |
                        | --- | --- |
                        | a | string |
                        | b | |
                        """);
    }
}
