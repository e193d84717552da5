package io.capoa.api.rules.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The CEL rules of the schemas and their twins. */
class CelRulesTest {

    private static final List<String> KINDS = List.of(
            "OpenshiftAssistedConfig",
            "OpenshiftAssistedConfigTemplate",
            "OpenshiftAssistedControlPlane",
            "OpenshiftAssistedControlPlaneTemplate");

    @Test
    void everyRuleHasATwin_andEveryTwinARule() {
        Set<String> rules = new TreeSet<>();
        KINDS.forEach(kind -> collect(HubSchemas.of(kind), rules));

        assertThat(rules).hasSizeGreaterThan(30).allMatch(CelRules::isKnown);
        assertThat(rules.stream().map(CelRules::text)).containsAll(CelRules.texts());
    }

    private static void collect(JsonNode schema, Set<String> into) {
        schema.path("x-kubernetes-validations")
                .forEach(rule -> into.add(rule.path("rule").asText()));
        schema.path("properties").forEach(property -> collect(property, into));
        for (String inner : List.of("items", "additionalProperties")) {
            if (schema.path(inner).isObject()) {
                collect(schema.path(inner), into);
            }
        }
    }

    /** As Go's netip reads them, which CEL uses. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, true",
        "fd00:1101::5, true",
        "::, true",
        "192.0.2, false",
        "192.0.2.01, false",
        "192.0.2.256, false",
        "192.0.2.1/24, false",
        "::ffff:192.0.2.1, false",
        "fe80::1%eth0, false",
        "[::1], false",
        "$(id), false",
        "example.com, false"
    })
    void addressesAreThoseOfCel(String text, boolean valid) throws Exception {
        JsonNode list = new JsonMapper().createArrayNode().add(text);
        assertThat(CelRules.holds("self.all(vip, isIP(vip))", list, MissingNode.getInstance()))
                .isEqualTo(valid);
        boolean block = CelRules.holds("isCIDR(self)", TextNode.valueOf(text + "/24"), MissingNode.getInstance());
        assertThat(block).isEqualTo(valid);
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.0/33, false", "192.0.2.0/32, true", "192.0.2.0/024, false", "::/129, false", "::, false"})
    void addressBlocksAreThoseOfCel(String text, boolean valid) {
        assertThat(CelRules.holds("isCIDR(self)", TextNode.valueOf(text), MissingNode.getInstance()))
                .isEqualTo(valid);
    }

    @Test
    void patternsEndWhereTheTextDoes_andTakeBoundedTime() {
        assertThat(GoPattern.of("^[a-z$]+$").find("a$b")).isTrue();
        assertThat(GoPattern.of("^[a-z]+$").find("a\n")).isFalse();
        assertThat(GoPattern.of("^a\\$$").find("a$")).isTrue();
        GoPattern words = GoPattern.of("^(?:(?:[^ \\t\\n\\r\"]+)|(?:\"[^\"]*\"))+$");
        assertThat(words.find("a".repeat(4096))).isTrue();
        assertThat(words.find("a=\"b c\"")).isTrue();
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(words.find("a".repeat(4000) + " ")).isFalse());
        assertThat(GoPattern.of("^([a-z0-9-]|[{][{] ?[.]name ?[}][}])+-x$").find("a".repeat(100_000)))
                .isFalse();
    }
}
