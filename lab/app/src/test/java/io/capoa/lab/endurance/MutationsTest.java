package io.capoa.lab.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MutationsTest {

    private static final JsonNode SAMPLE =
            Mutations.tree("{\"kind\":\"A\",\"spec\":{\"replicas\":3,\"names\":[\"a\",\"b\"]},\"empty\":{}}");
    private static final JsonNode OTHER = Mutations.tree("{\"status\":{\"state\":\"foreign\"}}");

    @Test
    void aSeed_givesTheSameMutations_andTheSampleStays() {
        JsonNode before = SAMPLE.deepCopy();

        assertThat(mutations(1)).isEqualTo(mutations(1)).isNotEqualTo(mutations(2));
        assertThat(SAMPLE).isEqualTo(before);
    }

    @Test
    void partsAreMissing_twice_ofOtherTypes_extreme_deep_andForeign() {
        List<String> texts = mutations(1);

        assertThat(texts.stream().distinct().count()).isGreaterThan(texts.size() * 3L / 4);
        assertThat(texts)
                .anyMatch(text -> !text.contains("replicas"))
                .anyMatch(text -> text.contains("\"replicass\":3"))
                .anyMatch(text -> text.contains("\"replicas\":\"3\""))
                .anyMatch(text -> text.contains("\"spec\":[{"))
                .anyMatch(text -> text.contains("-9223372036854775808"))
                .anyMatch(text -> text.contains("[[[") || text.contains("{\"a\":{\"a\":{"))
                .anyMatch(text -> text.contains("foreign"))
                .anyMatch(text -> text.length() > 10_000)
                .anyMatch(text -> !text.endsWith("}"));
    }

    private static List<String> mutations(long seed) {
        Mutations mutations = new Mutations(seed, List.of(OTHER));
        return IntStream.range(0, 2_000)
                .mapToObj(number -> mutations.text(mutations.mutate(SAMPLE)))
                .toList();
    }
}
