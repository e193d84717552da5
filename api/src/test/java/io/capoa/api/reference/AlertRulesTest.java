package io.capoa.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The alerts in {@code config/prometheus} ask for conditions and reasons that exist, and lead to text that exists. */
class AlertRulesTest {

    private static final Path FOLDER = Path.of("..", "config", "prometheus");
    private static final Pattern SERIES = Pattern.compile("(capoa_[a-z]+)_([a-z_]+)");
    private static final Pattern SELECTOR = Pattern.compile("\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(type|status|reason)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");

    /** Kinds by the prefix of their series. */
    private static final Map<String, String> KINDS =
            Map.of("capoa_controlplane", "OpenshiftAssistedControlPlane", "capoa_config", "OpenshiftAssistedConfig");

    /** An alert; the parameterized tests show its name. */
    record Alert(String name, JsonNode rule) {

        String expression() {
            return rule.path("expr").asText();
        }

        String annotation(String key) {
            return rule.path("annotations").path(key).asText();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Alert> alerts() throws IOException {
        return yaml("alerts.yaml").findValues("rules").stream()
                .flatMap(Field::elements)
                .map(rule -> new Alert(rule.path("alert").asText(), rule))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void anAlertSelectsConditionsAndReasonsThatAreDocumented(Alert alert) {
        Set<String> prefixes = found(SERIES, alert.expression(), 1);
        List<ConditionTexts> kinds = kindsOf(prefixes);
        SELECTOR.matcher(alert.expression()).results().forEach(selector -> {
            String condition = value(selector.group(1), "type");
            String status = value(selector.group(1), "status");
            if (!condition.isEmpty()) {
                assertThat(kinds)
                        .allSatisfy(kind -> assertThat(kind.conditions())
                                .hasEntrySatisfying(
                                        condition,
                                        type -> assertThat(type.meaning(status)).isPresent()));
            }
            Set<String> reasons = kinds.stream()
                    .flatMap(kind -> kind.reasons().keySet().stream())
                    .collect(Collectors.toCollection(TreeSet::new));
            reasons.addAll(texts("Both kinds").reasons().keySet());
            reasons.addAll(kinds.stream()
                    .flatMap(kind -> kind.conditions().keySet().stream())
                    .toList());
            Stream.of(value(selector.group(1), "reason").split("\\|"))
                    .filter(reason -> !reason.isEmpty())
                    .forEach(reason -> assertThat(reasons).anyMatch(known -> known.matches(reason)));
        });
    }

    /** What holds for both kinds is asked of both. */
    private static List<ConditionTexts> kindsOf(Set<String> prefixes) {
        return prefixes.stream().map(KINDS::get).map(AlertRulesTest::texts).toList();
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void aRunbookExists(Alert alert) throws IOException {
        String[] runbook = alert.annotation("runbook_url").split("#", 2);
        assertThat(runbook).hasSize(2);
        assertThat(runbook[0]).startsWith("docs/");

        new GoldenPage("alerts.md", "[](" + runbook[0].substring("docs/".length()) + "#" + runbook[1] + ")", getClass())
                .assertLinksHaveTargets();
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void anAlertSaysWhatHappened_andIsTestedAndListed(Alert alert) throws IOException {
        assertThat(alert.annotation("summary")).isNotEmpty();
        assertThat(alert.annotation("description")).endsWith(".");
        assertThat(alert.rule().path("labels").path("severity").asText()).isIn("critical", "warning");
        assertThat(Files.readString(FOLDER.resolve("alerts-test.yaml"))).contains("alertname: " + alert.name() + "\n");
        assertThat(Files.readString(Path.of("..", "docs", "alerts.md")))
                .contains("| `" + alert.name() + "` | "
                        + alert.rule().path("labels").path("severity").asText() + " |");
    }

    @Test
    void theSeriesAreThoseOfKubeStateMetrics() throws IOException {
        Map<String, Set<String>> series = new TreeMap<>();
        Map<String, String> kinds = new TreeMap<>();
        for (JsonNode resource : yaml("kube-state-metrics.yaml").at("/spec/resources")) {
            String prefix = resource.path("metricNamePrefix").asText();
            JsonNode kind = resource.path("groupVersionKind");
            kinds.put(prefix, kind.path("kind").asText());
            assertThat(Crd.all())
                    .anySatisfy(crd -> assertThat(
                                    List.of(crd.group(), crd.current().name(), crd.kind()))
                            .isEqualTo(Stream.of("group", "version", "kind")
                                    .map(part -> kind.path(part).asText())
                                    .toList()));
            series.put(
                    prefix,
                    Field.elements(resource.path("metrics"))
                            .map(metric -> metric.path("name").asText())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        assertThat(kinds).containsExactlyInAnyOrderEntriesOf(KINDS);

        for (Alert alert : alerts()) {
            SERIES.matcher(alert.expression())
                    .results()
                    .map(MatchResult::group)
                    .forEach(name -> assertThat(series.entrySet())
                            .as("%s of %s", name, alert)
                            .anyMatch(known -> known.getValue().stream()
                                    .anyMatch(metric -> name.equals(known.getKey() + "_" + metric))));
        }
    }

    private static ConditionTexts texts(String kind) {
        return ConditionTexts.all().stream()
                .filter(texts -> texts.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static String value(String selector, String label) {
        return MATCHER.matcher(selector)
                .results()
                .filter(match -> match.group(1).equals(label))
                .map(match -> match.group(3))
                .findFirst()
                .orElse("");
    }

    private static Set<String> found(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(group))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JsonNode yaml(String file) throws IOException {
        return new YAMLMapper().readTree(FOLDER.resolve(file).toFile());
    }
}
