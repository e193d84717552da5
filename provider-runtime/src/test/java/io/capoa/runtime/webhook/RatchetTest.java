package io.capoa.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.rules.Findings.Finding;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which findings of an update are new; every entry with a capital letter is wrong. */
class RatchetTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            A b   | A b   |
            b A   | A b   |
            A B   | A b   | 1
            b A   | B a   | 1
            A A   | A b   | 1
            A B C | A B   | 2
            B     | A     | 0
            a b   | A B   |
            """)
    void anEntryIsOld_ifItsValueIs(String now, String before, String added) throws Exception {
        Ratchet ratchet = new Ratchet(object(now), object(before));
        List<Finding> expected = added == null ? List.of() : List.of(finding(Integer.parseInt(added)));
        assertThat(ratchet.added(findings(now), findings(before))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"{\"a\":1}, {\"a\":2}", "{}, {}"})
    void aValueThatIsNoEntry_isOldByItsSentence(String now, String before) throws Exception {
        ObjectMapper json = new ObjectMapper();
        Ratchet ratchet = new Ratchet(json.readTree(now), json.readTree(before));
        List<Finding> findings = List.of(
                new Finding("a", "is wrong"),
                new Finding("metadata.annotations[a]", "cannot be used: files[1] is wrong"));
        List<Finding> earlier = List.of(
                new Finding("a", "is wrong"),
                new Finding("metadata.annotations[a]", "cannot be used: files[0] is wrong"));
        assertThat(ratchet.added(findings, earlier)).isEmpty();
    }

    @Test
    void thousandsOfFindings_areComparedWithinTheTimeoutOfAWebhook() throws Exception {
        ObjectMapper json = new ObjectMapper();
        List<Finding> findings = IntStream.range(0, 20_000)
                .mapToObj(n -> new Finding("metadata.annotations[a]", "files[%d].path is x%d".formatted(n, n)))
                .toList();
        Ratchet ratchet = new Ratchet(json.readTree("{}"), json.readTree("{}"));

        assertTimeoutPreemptively(
                Duration.ofSeconds(3),
                () -> assertThat(ratchet.added(findings, findings.reversed())).isEmpty());
    }

    private static JsonNode object(String entries) throws JsonProcessingException {
        String list = "{\"value\":\"" + entries.replace(" ", "\"},{\"value\":\"") + "\"}";
        return new ObjectMapper().readTree("{\"spec\":{\"list\":[" + list + "]}}");
    }

    private static List<Finding> findings(String entries) {
        List<String> values = List.of(entries.split(" ", -1));
        return IntStream.range(0, values.size())
                .filter(n -> Character.isUpperCase(values.get(n).charAt(0)))
                .mapToObj(RatchetTest::finding)
                .toList();
    }

    private static Finding finding(int n) {
        return new Finding("spec.list[" + n + "].value", "is wrong");
    }
}
