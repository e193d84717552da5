package io.capoa.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidationsTest {

    private final Patterns patterns = new Patterns();
    private final Validations validations = new Validations(patterns);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{type: string}; ''",
                "{enum: [A, '']}; `A`, `\"\"`",
                "{minimum: 0.0}; at least 0",
                "{minimum: 1.0, maximum: 100.0}; 1 to 100",
                "{maxLength: 253}; at most 253 characters",
                "{minLength: 1}; at least 1 character",
                "{minItems: 1, maxItems: 1}; 1 entry",
                "{minProperties: 1, properties: {a: {}}}; at least 1 field",
                "{maxItems: 4, items: {maxLength: 9, minLength: 2}}; 'at most 4 entries; each 2 to 9 characters'",
                "{additionalProperties: {maxLength: 63}, maxProperties: 64}; 'at most 64 keys; values at most 63 characters'",
                "{additionalProperties: true}; ''",
                "{x-kubernetes-list-map-keys: [key, effect]}; unique by `key` and `effect`",
                "{x-kubernetes-list-type: set}; unique entries",
            })
    void saysWhatASchemaAccepts(String schema, String text) throws JsonProcessingException {
        assertThat(validations.of(new YAMLMapper().readTree(schema))).isEqualTo(text);
    }

    @Test
    void shortPatternsAreShownAndLongOnesAreListedOnce() {
        String longPattern = "^[a-z]{1,10}|[0-9]{1,10}|[A-Z]{1,10}$";

        assertThat(patterns.reference("^a|b$")).isEqualTo("pattern `^a\\|b$`");
        assertThat(patterns.reference(longPattern)).isEqualTo("[pattern 1](#pattern-1)");
        assertThat(patterns.reference("[a](b)")).isEqualTo("[pattern 2](#pattern-2)");
        assertThat(patterns.reference(longPattern)).isEqualTo("[pattern 1](#pattern-1)");
        assertThat(patterns.list())
                .contains("Pattern 1:\n\n```\n" + longPattern + "\n```\n")
                .doesNotContain("Pattern 3");
    }
}
